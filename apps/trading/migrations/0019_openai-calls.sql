CREATE TABLE "trading"."openai_calls" (
	"bot_id" uuid NOT NULL,
	"symbol" text NOT NULL,
	"timeframe" text NOT NULL,
	"candle_ts" bigint NOT NULL,
	"model" text NOT NULL,
	"day_ms" bigint NOT NULL,
	"calls" integer NOT NULL,
	"outcome" text NOT NULL,
	"signal" text,
	"confidence" double precision,
	"stop_loss" double precision,
	"reasoning" text,
	"input_tokens" bigint NOT NULL,
	"output_tokens" bigint NOT NULL,
	"cost_usd" double precision,
	CONSTRAINT "openai_calls_key" PRIMARY KEY("bot_id","symbol","timeframe","candle_ts")
);
--> statement-breakpoint
CREATE INDEX "openai_calls_of_a_day" ON "trading"."openai_calls" USING btree ("bot_id","day_ms");--> statement-breakpoint
ALTER TABLE "trading"."openai_calls" ADD CONSTRAINT "openai_calls_bot_id_bots_id_fk" FOREIGN KEY ("bot_id") REFERENCES "trading"."bots"("id") ON DELETE cascade ON UPDATE no action;
