CREATE TABLE "trading"."retrainings" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"version" text NOT NULL,
	"venue" text NOT NULL,
	"symbol" text NOT NULL,
	"timeframe" text NOT NULL,
	"every_days" integer,
	"on_drift" boolean NOT NULL,
	"mode" text NOT NULL,
	"user_id" uuid NOT NULL,
	"by_manager" boolean NOT NULL,
	"counts_from_ms" bigint NOT NULL,
	"last_at_ms" bigint,
	"drift_of" uuid,
	"job_id" uuid,
	"error" text,
	"tries_at_ms" bigint NOT NULL,
	CONSTRAINT "retrainings_one" UNIQUE("version","venue","symbol","timeframe")
);
