CREATE SCHEMA "trading";
--> statement-breakpoint
CREATE TABLE "trading"."backtest_jobs" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"user_id" uuid NOT NULL,
	"order" jsonb NOT NULL,
	"status" text NOT NULL,
	"progress_current" integer DEFAULT 0 NOT NULL,
	"progress_total" integer DEFAULT 0 NOT NULL,
	"run_id" uuid,
	"error" text,
	"created_at_ms" bigint NOT NULL,
	"finished_at_ms" bigint
);
--> statement-breakpoint
CREATE TABLE "trading"."backtest_run_details" (
	"run_id" uuid PRIMARY KEY NOT NULL,
	"bytes" "bytea" NOT NULL
);
--> statement-breakpoint
CREATE TABLE "trading"."backtest_runs" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"user_id" uuid,
	"bot_id" uuid,
	"venue" text NOT NULL,
	"symbol" text NOT NULL,
	"timeframe" text NOT NULL,
	"summary" jsonb NOT NULL,
	"created_at_ms" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "trading"."bots" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"user_id" uuid NOT NULL,
	"venue" text NOT NULL,
	"name" text NOT NULL,
	"description" text NOT NULL,
	"strategy" text NOT NULL,
	"status" text NOT NULL,
	"status_reason" text,
	"visibility" text NOT NULL,
	"is_virtual" boolean NOT NULL,
	"trading_pairs" text[] NOT NULL,
	"position_size" double precision NOT NULL,
	"max_drawdown" double precision NOT NULL,
	"risk_level" text NOT NULL,
	"market_type" text NOT NULL,
	"leverage" integer NOT NULL,
	"take_profit_pct" double precision NOT NULL,
	"stop_loss_pct" double precision NOT NULL,
	"initial_balance" double precision NOT NULL,
	"total_trades" integer DEFAULT 0 NOT NULL,
	"winning_trades" integer DEFAULT 0 NOT NULL,
	"last_trade_at_ms" bigint,
	"ml_model_version" text,
	"ml_model_versions" text[],
	"consensus_config" jsonb,
	"parameters" jsonb,
	"temporary" boolean NOT NULL,
	"created_at_ms" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "trading"."ledger" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"sub_account_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"amount" numeric NOT NULL,
	"at_ms" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "trading"."sub_accounts" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"bot_id" uuid NOT NULL,
	"venue" text NOT NULL,
	"created_at_ms" bigint NOT NULL,
	CONSTRAINT "sub_accounts_bot_id_unique" UNIQUE("bot_id")
);
--> statement-breakpoint
CREATE TABLE "trading"."candles" (
	"series_id" integer NOT NULL,
	"ts" bigint NOT NULL,
	"open" double precision NOT NULL,
	"high" double precision NOT NULL,
	"low" double precision NOT NULL,
	"close" double precision NOT NULL,
	"volume" double precision NOT NULL,
	CONSTRAINT "candles_key" PRIMARY KEY("series_id","ts")
);
--> statement-breakpoint
CREATE TABLE "trading"."series" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "trading"."series_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"venue" text NOT NULL,
	"symbol" text NOT NULL,
	"timeframe" text NOT NULL,
	"candles" integer DEFAULT 0 NOT NULL,
	"first_ts" bigint,
	"last_ts" bigint,
	"gap_count" integer DEFAULT 0 NOT NULL,
	"revision" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "series_name" UNIQUE("venue","symbol","timeframe")
);
--> statement-breakpoint
CREATE TABLE "trading"."artifacts" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"version" text NOT NULL,
	"venue" text NOT NULL,
	"symbol" text NOT NULL,
	"timeframe" text NOT NULL,
	"hash" text NOT NULL,
	"shown" jsonb NOT NULL,
	"card" jsonb NOT NULL,
	"bytes" "bytea" NOT NULL,
	"created_at_ms" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "trading"."models" (
	"version" text PRIMARY KEY NOT NULL,
	"stage" text NOT NULL,
	"created_by" uuid,
	"created_at_ms" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "trading"."trainings" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"user_id" uuid,
	"version" text NOT NULL,
	"venue" text NOT NULL,
	"symbol" text NOT NULL,
	"timeframe" text NOT NULL,
	"request" jsonb NOT NULL,
	"status" text NOT NULL,
	"progress" jsonb NOT NULL,
	"artifact_id" uuid,
	"error" text,
	"created_at_ms" bigint NOT NULL,
	"finished_at_ms" bigint
);
--> statement-breakpoint
ALTER TABLE "trading"."backtest_run_details" ADD CONSTRAINT "backtest_run_details_run_id_backtest_runs_id_fk" FOREIGN KEY ("run_id") REFERENCES "trading"."backtest_runs"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "trading"."ledger" ADD CONSTRAINT "ledger_sub_account_id_sub_accounts_id_fk" FOREIGN KEY ("sub_account_id") REFERENCES "trading"."sub_accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "trading"."sub_accounts" ADD CONSTRAINT "sub_accounts_bot_id_bots_id_fk" FOREIGN KEY ("bot_id") REFERENCES "trading"."bots"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "trading"."artifacts" ADD CONSTRAINT "artifacts_version_models_version_fk" FOREIGN KEY ("version") REFERENCES "trading"."models"("version") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "trading"."trainings" ADD CONSTRAINT "trainings_artifact_id_artifacts_id_fk" FOREIGN KEY ("artifact_id") REFERENCES "trading"."artifacts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "backtest_jobs_by_user" ON "trading"."backtest_jobs" USING btree ("user_id","created_at_ms" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "backtest_runs_newest" ON "trading"."backtest_runs" USING btree ("created_at_ms" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "backtest_runs_by_user" ON "trading"."backtest_runs" USING btree ("user_id","created_at_ms" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "backtest_runs_by_bot" ON "trading"."backtest_runs" USING btree ("bot_id");--> statement-breakpoint
CREATE INDEX "bots_by_user" ON "trading"."bots" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "bots_public" ON "trading"."bots" USING btree ("visibility");--> statement-breakpoint
CREATE INDEX "bots_temporary" ON "trading"."bots" USING btree ("created_at_ms") WHERE "trading"."bots"."temporary";--> statement-breakpoint
CREATE INDEX "ledger_by_account" ON "trading"."ledger" USING btree ("sub_account_id");--> statement-breakpoint
CREATE INDEX "artifacts_by_series" ON "trading"."artifacts" USING btree ("version","venue","symbol","timeframe","created_at_ms" DESC NULLS LAST);--> statement-breakpoint
CREATE UNIQUE INDEX "trainings_one_at_a_time" ON "trading"."trainings" USING btree ("version","venue","symbol","timeframe") WHERE "trading"."trainings"."status" in ('queued', 'running');--> statement-breakpoint
CREATE INDEX "trainings_by_user" ON "trading"."trainings" USING btree ("user_id","created_at_ms" DESC NULLS LAST);