CREATE TABLE "trading"."bot_models" (
	"bot_id" uuid NOT NULL,
	"symbol" text NOT NULL,
	"asked" text NOT NULL,
	"timeframe" text NOT NULL,
	"artifact_id" uuid,
	"version" text NOT NULL,
	"hash" text NOT NULL,
	"takes_next" boolean DEFAULT false NOT NULL,
	"pinned_at_ms" bigint NOT NULL,
	CONSTRAINT "bot_models_key" PRIMARY KEY("bot_id","symbol","asked")
);
--> statement-breakpoint
ALTER TABLE "trading"."bot_models" ADD CONSTRAINT "bot_models_bot_id_bots_id_fk" FOREIGN KEY ("bot_id") REFERENCES "trading"."bots"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "bot_models_by_artifact" ON "trading"."bot_models" USING btree ("artifact_id");