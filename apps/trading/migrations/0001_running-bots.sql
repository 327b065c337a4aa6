-- What was started before bots could trade has nothing to go on with.
UPDATE "trading"."bots" SET status = 'stopped' WHERE id IN (SELECT bot_id FROM "trading"."bot_states");--> statement-breakpoint
DELETE FROM "trading"."bot_states";--> statement-breakpoint
CREATE TABLE "trading"."bot_watches" (
	"bot_id" uuid NOT NULL,
	"venue" text NOT NULL,
	"symbol" text NOT NULL,
	"timeframe" text NOT NULL,
	"lower" double precision NOT NULL,
	"upper" double precision NOT NULL,
	"due" boolean NOT NULL,
	CONSTRAINT "bot_watches_key" PRIMARY KEY("bot_id","symbol")
);
--> statement-breakpoint
ALTER TABLE "trading"."bot_states" ALTER COLUMN "portfolio" SET DATA TYPE json;--> statement-breakpoint
ALTER TABLE "trading"."bot_states" ADD COLUMN "timeframe" text NOT NULL;--> statement-breakpoint
ALTER TABLE "trading"."bot_states" ADD COLUMN "revision" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "trading"."bot_watches" ADD CONSTRAINT "bot_watches_bot_id_bots_id_fk" FOREIGN KEY ("bot_id") REFERENCES "trading"."bots"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "bot_watches_by_series" ON "trading"."bot_watches" USING btree ("venue","symbol","timeframe");