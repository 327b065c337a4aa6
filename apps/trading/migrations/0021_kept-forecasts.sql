CREATE TABLE "trading"."backtest_forecasts" (
	"artifact_id" uuid NOT NULL,
	"from_ms" bigint NOT NULL,
	"to_ms" bigint NOT NULL,
	"candles" integer NOT NULL,
	"history" integer NOT NULL,
	"candles_hash" text NOT NULL,
	"seen" jsonb NOT NULL,
	"columns" "bytea" NOT NULL,
	"bytes" integer NOT NULL,
	"used_at_ms" bigint NOT NULL,
	CONSTRAINT "backtest_forecasts_key" PRIMARY KEY("artifact_id","from_ms","to_ms","candles")
);
--> statement-breakpoint
CREATE INDEX "backtest_forecasts_by_use" ON "trading"."backtest_forecasts" USING btree ("used_at_ms" DESC NULLS LAST);