CREATE TABLE "trading"."series_use" (
	"venue" text NOT NULL,
	"symbol" text NOT NULL,
	"timeframe" text NOT NULL,
	"expires_at_ms" bigint NOT NULL,
	CONSTRAINT "series_use_key" PRIMARY KEY("venue","symbol","timeframe")
);
--> statement-breakpoint
CREATE TABLE "trading"."candle_revisions" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"series_id" integer NOT NULL,
	"ts" bigint NOT NULL,
	"before" double precision[] NOT NULL,
	"after" double precision[] NOT NULL,
	"at_ms" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "trading"."downloads" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"user_id" uuid,
	"venue" text NOT NULL,
	"symbol" text NOT NULL,
	"timeframe" text NOT NULL,
	"from_ms" bigint NOT NULL,
	"to_ms" bigint NOT NULL,
	"resume_ms" bigint NOT NULL,
	"candles" integer DEFAULT 0 NOT NULL,
	"status" text NOT NULL,
	"error" text,
	"created_at_ms" bigint NOT NULL,
	"finished_at_ms" bigint,
	CONSTRAINT "downloads_range" UNIQUE("venue","symbol","timeframe","from_ms")
);
--> statement-breakpoint
CREATE TABLE "trading"."known_gaps" (
	"series_id" integer NOT NULL,
	"from_ts" bigint NOT NULL,
	"to_ts" bigint NOT NULL,
	"checked_at_ms" bigint NOT NULL,
	CONSTRAINT "known_gaps_key" PRIMARY KEY("series_id","from_ts")
);
--> statement-breakpoint
CREATE TABLE "trading"."venue_markets" (
	"venue" text PRIMARY KEY NOT NULL,
	"markets" jsonb NOT NULL,
	"fetched_at_ms" bigint NOT NULL
);
--> statement-breakpoint
CREATE INDEX "series_use_by_expiry" ON "trading"."series_use" USING btree ("venue","expires_at_ms" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "candle_revisions_by_series" ON "trading"."candle_revisions" USING btree ("series_id","ts");