CREATE SCHEMA "trading";
--> statement-breakpoint
CREATE TABLE "trading"."accounts" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"owner_kind" text NOT NULL,
	"owner_id" uuid NOT NULL,
	"venue" text NOT NULL,
	"kind" text NOT NULL,
	"network" text,
	"balance" numeric(38, 8) DEFAULT 0 NOT NULL,
	"fees" numeric(38, 8) DEFAULT 0 NOT NULL,
	"realised_pnl" numeric(38, 8) DEFAULT 0 NOT NULL,
	"created_at_ms" bigint NOT NULL,
	CONSTRAINT "accounts_of_owners" UNIQUE NULLS NOT DISTINCT("owner_kind","owner_id","venue","kind","network")
);
--> statement-breakpoint
CREATE TABLE "trading"."auto_trade_decisions" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"account_id" uuid NOT NULL,
	"symbol" text NOT NULL,
	"timeframe" text NOT NULL,
	"candle_ts" bigint NOT NULL,
	"prediction" jsonb NOT NULL,
	"amount" double precision NOT NULL,
	"enable_stop_loss" boolean NOT NULL,
	"action" text NOT NULL,
	"reason" text NOT NULL,
	"order_id" uuid,
	"at_ms" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "trading"."fills" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"order_id" uuid NOT NULL,
	"account_id" uuid NOT NULL,
	"trade_id" text NOT NULL,
	"price" double precision NOT NULL,
	"raw_price" double precision,
	"quantity" numeric(38, 8) NOT NULL,
	"notional" numeric(38, 8) NOT NULL,
	"fee" numeric(38, 8) NOT NULL,
	"fees" jsonb,
	"pnl" numeric(38, 8),
	"exit_reason" text,
	"market_ms" bigint,
	"at_ms" bigint NOT NULL,
	CONSTRAINT "fills_once" UNIQUE("order_id","trade_id")
);
--> statement-breakpoint
CREATE TABLE "trading"."keyed_replies" (
	"user_id" uuid NOT NULL,
	"venue" text NOT NULL,
	"key" text NOT NULL,
	"request_hash" text NOT NULL,
	"reply" jsonb NOT NULL,
	"at_ms" bigint NOT NULL,
	CONSTRAINT "keyed_replies_key" PRIMARY KEY("user_id","venue","key")
);
--> statement-breakpoint
CREATE TABLE "trading"."ledger_entries" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"account_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"amount" numeric(38, 8) NOT NULL,
	"fill_id" uuid,
	"at_ms" bigint NOT NULL,
	CONSTRAINT "ledger_entries_once" UNIQUE("fill_id","kind")
);
--> statement-breakpoint
CREATE TABLE "trading"."order_events" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"order_id" uuid NOT NULL,
	"what" text NOT NULL,
	"said" jsonb NOT NULL,
	"at_ms" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "trading"."orders" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"seq" bigint GENERATED ALWAYS AS IDENTITY (sequence name "trading"."orders_seq_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"account_id" uuid NOT NULL,
	"client_order_id" text NOT NULL,
	"symbol" text NOT NULL,
	"side" text NOT NULL,
	"type" text NOT NULL,
	"status" text NOT NULL,
	"status_reason" text,
	"quantity" numeric(38, 8) NOT NULL,
	"filled" numeric(38, 8) DEFAULT 0 NOT NULL,
	"price" double precision,
	"average" double precision,
	"source" text NOT NULL,
	"created_at_ms" bigint NOT NULL,
	"closed_at_ms" bigint,
	"guards_id" uuid,
	"reserved" numeric(38, 8) DEFAULT 0 NOT NULL,
	"placed_market_ms" bigint,
	"key_mark" text,
	"venue_order_id" text,
	"counted" numeric(38, 8) DEFAULT 0 NOT NULL,
	"looks" integer DEFAULT 0 NOT NULL,
	"next_look_ms" bigint,
	"guard_price" double precision,
	"guard_tries" integer DEFAULT 0 NOT NULL,
	"next_guard_ms" bigint,
	CONSTRAINT "orders_client_order_id_unique" UNIQUE("client_order_id")
);
--> statement-breakpoint
CREATE TABLE "trading"."positions" (
	"account_id" uuid NOT NULL,
	"symbol" text NOT NULL,
	"quantity" numeric(38, 8) NOT NULL,
	"cost" numeric(38, 8) NOT NULL,
	"opened_at_ms" bigint NOT NULL,
	CONSTRAINT "positions_key" PRIMARY KEY("account_id","symbol")
);
--> statement-breakpoint
CREATE TABLE "trading"."watched_symbols" (
	"venue" text NOT NULL,
	"symbol" text NOT NULL,
	"checked_until_ms" bigint NOT NULL,
	CONSTRAINT "watched_symbols_key" PRIMARY KEY("venue","symbol")
);
--> statement-breakpoint
CREATE TABLE "trading"."exchange_keys" (
	"user_id" uuid NOT NULL,
	"venue" text NOT NULL,
	"network" text NOT NULL,
	"sealed" text NOT NULL,
	"last_four" text NOT NULL,
	"mark" text NOT NULL,
	"saved_at_ms" bigint NOT NULL,
	CONSTRAINT "exchange_keys_key" PRIMARY KEY("user_id","venue","network")
);
--> statement-breakpoint
CREATE TABLE "trading"."trading_limits" (
	"user_id" uuid NOT NULL,
	"venue" text NOT NULL,
	"network" text NOT NULL,
	"max_order" numeric(38, 8) NOT NULL,
	"max_day" numeric(38, 8) NOT NULL,
	"saved_at_ms" bigint NOT NULL,
	CONSTRAINT "trading_limits_key" PRIMARY KEY("user_id","venue","network")
);
--> statement-breakpoint
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
CREATE TABLE "trading"."backtest_jobs" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
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
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"user_id" uuid,
	"bot_id" uuid,
	"venue" text NOT NULL,
	"symbol" text NOT NULL,
	"timeframe" text NOT NULL,
	"summary" jsonb NOT NULL,
	"model_hashes" text[],
	"name" text,
	"note" text,
	"created_at_ms" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "trading"."bot_decisions" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"bot_id" uuid NOT NULL,
	"symbol" text NOT NULL,
	"candle_ts" bigint NOT NULL,
	"votes" jsonb NOT NULL,
	"rule" text NOT NULL,
	"signal" text NOT NULL,
	"action" text NOT NULL,
	"reason" text NOT NULL,
	"target" double precision,
	"order_id" uuid,
	"decided_at_ms" bigint NOT NULL,
	CONSTRAINT "bot_decisions_once" UNIQUE("bot_id","candle_ts","symbol")
);
--> statement-breakpoint
CREATE TABLE "trading"."bot_equity" (
	"bot_id" uuid NOT NULL,
	"at_ms" bigint NOT NULL,
	"equity" double precision NOT NULL,
	CONSTRAINT "bot_equity_key" PRIMARY KEY("bot_id","at_ms")
);
--> statement-breakpoint
CREATE TABLE "trading"."bot_predictions" (
	"bot_id" uuid PRIMARY KEY NOT NULL,
	"prediction" jsonb NOT NULL,
	"made_at_ms" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "trading"."bot_states" (
	"bot_id" uuid PRIMARY KEY NOT NULL,
	"decided_ts" bigint NOT NULL,
	"portfolio" jsonb NOT NULL,
	"worst_drawdown_pct" double precision NOT NULL
);
--> statement-breakpoint
CREATE TABLE "trading"."bot_trades" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"bot_id" uuid NOT NULL,
	"symbol" text NOT NULL,
	"side" text NOT NULL,
	"entry_time_ms" bigint NOT NULL,
	"exit_time_ms" bigint NOT NULL,
	"entry_price" double precision NOT NULL,
	"exit_price" double precision NOT NULL,
	"quantity" double precision NOT NULL,
	"net_pnl" double precision NOT NULL,
	"fees" double precision NOT NULL,
	"funding" double precision NOT NULL,
	"exit_reason" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "trading"."bots" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
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
CREATE TABLE "trading"."datasets" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"user_id" uuid NOT NULL,
	"venue" text NOT NULL,
	"symbol" text NOT NULL,
	"timeframe" text NOT NULL,
	"rows" integer NOT NULL,
	"from_ts" bigint NOT NULL,
	"to_ts" bigint NOT NULL,
	"hash" text NOT NULL,
	"active" boolean DEFAULT false NOT NULL,
	"created_at_ms" bigint NOT NULL,
	CONSTRAINT "datasets_once" UNIQUE("user_id","venue","symbol","timeframe","from_ts","to_ts","hash")
);
--> statement-breakpoint
CREATE TABLE "trading"."drift_states" (
	"artifact_id" uuid PRIMARY KEY NOT NULL,
	"decision" text NOT NULL,
	"since_ms" bigint,
	"features_drift" boolean,
	"last_scored_ms" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "trading"."series_use" (
	"venue" text NOT NULL,
	"symbol" text NOT NULL,
	"timeframe" text NOT NULL,
	"expires_at_ms" bigint NOT NULL,
	CONSTRAINT "series_use_key" PRIMARY KEY("venue","symbol","timeframe")
);
--> statement-breakpoint
CREATE TABLE "trading"."importances" (
	"artifact_id" uuid PRIMARY KEY NOT NULL,
	"status" text NOT NULL,
	"job_id" uuid NOT NULL,
	"requested_by" uuid NOT NULL,
	"importance" jsonb,
	"error" text,
	"requested_at_ms" bigint NOT NULL,
	"finished_at_ms" bigint
);
--> statement-breakpoint
CREATE TABLE "trading"."candle_revisions" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"series_id" integer NOT NULL,
	"ts" bigint NOT NULL,
	"before" double precision[] NOT NULL,
	"after" double precision[] NOT NULL,
	"at_ms" bigint NOT NULL
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
	"heard_ms" bigint DEFAULT 0 NOT NULL,
	CONSTRAINT "candles_key" PRIMARY KEY("series_id","ts")
);
--> statement-breakpoint
CREATE TABLE "trading"."downloads" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
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
CREATE TABLE "trading"."venue_markets" (
	"venue" text PRIMARY KEY NOT NULL,
	"markets" jsonb NOT NULL,
	"fetched_at_ms" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "trading"."artifacts" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"version" text NOT NULL,
	"venue" text NOT NULL,
	"symbol" text NOT NULL,
	"timeframe" text NOT NULL,
	"hash" text NOT NULL,
	"shown" jsonb NOT NULL,
	"card" jsonb NOT NULL,
	"bytes" "bytea" NOT NULL,
	"origin" text DEFAULT 'trained' NOT NULL,
	"uploaded_by" uuid,
	"active" boolean DEFAULT false NOT NULL,
	"comparison" jsonb,
	"created_at_ms" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "trading"."training_checkpoints" (
	"training_id" uuid NOT NULL,
	"network" text NOT NULL,
	"state" "bytea" NOT NULL,
	CONSTRAINT "training_checkpoints_key" PRIMARY KEY("training_id","network")
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
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
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
	"turn" bigint DEFAULT 0 NOT NULL,
	"created_at_ms" bigint NOT NULL,
	"finished_at_ms" bigint
);
--> statement-breakpoint
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
CREATE TABLE "trading"."predictions" (
	"artifact_id" uuid NOT NULL,
	"ts" bigint NOT NULL,
	"candle_check" bigint NOT NULL,
	"signal" smallint NOT NULL,
	"confidence" double precision NOT NULL,
	"price" double precision NOT NULL,
	"lstm" double precision NOT NULL,
	"transformer" double precision NOT NULL,
	"stop_loss" double precision NOT NULL,
	"edge_bps" double precision NOT NULL,
	"made_at_ms" bigint NOT NULL,
	CONSTRAINT "predictions_key" PRIMARY KEY("artifact_id","ts")
);
--> statement-breakpoint
CREATE TABLE "trading"."sealed_head" (
	"id" integer PRIMARY KEY NOT NULL,
	"rows" bigint NOT NULL,
	"hash" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "trading"."sealed_predictions" (
	"seq" bigint PRIMARY KEY NOT NULL,
	"venue" text NOT NULL,
	"symbol" text NOT NULL,
	"timeframe" text NOT NULL,
	"version" text NOT NULL,
	"artifact_id" uuid NOT NULL,
	"artifact_hash" text NOT NULL,
	"candle_ts" bigint NOT NULL,
	"made_at_ms" bigint NOT NULL,
	"market_time_ms" bigint NOT NULL,
	"horizon" integer NOT NULL,
	"p_up" double precision NOT NULL,
	"signal" text NOT NULL,
	"confidence" double precision NOT NULL,
	"price" double precision NOT NULL,
	"lstm" double precision NOT NULL,
	"transformer" double precision NOT NULL,
	"stop_loss" double precision NOT NULL,
	"edge_bps" double precision NOT NULL,
	"fan" double precision[] NOT NULL,
	"reasoning" text NOT NULL,
	"climatology" double precision NOT NULL,
	"reversal_up" boolean NOT NULL,
	"previous_hash" text NOT NULL,
	"row_hash" text NOT NULL,
	CONSTRAINT "sealed_once" UNIQUE("artifact_id","symbol","timeframe","candle_ts")
);
--> statement-breakpoint
CREATE TABLE "trading"."sealed_scores" (
	"seq" bigint NOT NULL,
	"horizon" integer NOT NULL,
	"price" double precision NOT NULL,
	"covered_90" boolean NOT NULL,
	"covered_50" boolean NOT NULL,
	"scored_at_ms" bigint NOT NULL,
	CONSTRAINT "sealed_scores_key" PRIMARY KEY("seq","horizon")
);
--> statement-breakpoint
ALTER TABLE "trading"."auto_trade_decisions" ADD CONSTRAINT "auto_trade_decisions_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "trading"."accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "trading"."auto_trade_decisions" ADD CONSTRAINT "auto_trade_decisions_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "trading"."orders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "trading"."fills" ADD CONSTRAINT "fills_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "trading"."orders"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "trading"."fills" ADD CONSTRAINT "fills_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "trading"."accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "trading"."ledger_entries" ADD CONSTRAINT "ledger_entries_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "trading"."accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "trading"."ledger_entries" ADD CONSTRAINT "ledger_entries_fill_id_fills_id_fk" FOREIGN KEY ("fill_id") REFERENCES "trading"."fills"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "trading"."order_events" ADD CONSTRAINT "order_events_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "trading"."orders"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "trading"."orders" ADD CONSTRAINT "orders_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "trading"."accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "trading"."orders" ADD CONSTRAINT "orders_guards_id_orders_id_fk" FOREIGN KEY ("guards_id") REFERENCES "trading"."orders"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "trading"."positions" ADD CONSTRAINT "positions_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "trading"."accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "trading"."backtest_run_details" ADD CONSTRAINT "backtest_run_details_run_id_backtest_runs_id_fk" FOREIGN KEY ("run_id") REFERENCES "trading"."backtest_runs"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "trading"."bot_decisions" ADD CONSTRAINT "bot_decisions_bot_id_bots_id_fk" FOREIGN KEY ("bot_id") REFERENCES "trading"."bots"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "trading"."bot_equity" ADD CONSTRAINT "bot_equity_bot_id_bots_id_fk" FOREIGN KEY ("bot_id") REFERENCES "trading"."bots"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "trading"."bot_predictions" ADD CONSTRAINT "bot_predictions_bot_id_bots_id_fk" FOREIGN KEY ("bot_id") REFERENCES "trading"."bots"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "trading"."bot_states" ADD CONSTRAINT "bot_states_bot_id_bots_id_fk" FOREIGN KEY ("bot_id") REFERENCES "trading"."bots"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "trading"."bot_trades" ADD CONSTRAINT "bot_trades_bot_id_bots_id_fk" FOREIGN KEY ("bot_id") REFERENCES "trading"."bots"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "trading"."artifacts" ADD CONSTRAINT "artifacts_version_models_version_fk" FOREIGN KEY ("version") REFERENCES "trading"."models"("version") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "trading"."training_checkpoints" ADD CONSTRAINT "training_checkpoints_training_id_trainings_id_fk" FOREIGN KEY ("training_id") REFERENCES "trading"."trainings"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "trading"."trainings" ADD CONSTRAINT "trainings_artifact_id_artifacts_id_fk" FOREIGN KEY ("artifact_id") REFERENCES "trading"."artifacts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "trading"."sealed_scores" ADD CONSTRAINT "sealed_scores_seq_sealed_predictions_seq_fk" FOREIGN KEY ("seq") REFERENCES "trading"."sealed_predictions"("seq") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "auto_trade_decisions_by_candle" ON "trading"."auto_trade_decisions" USING btree ("account_id","symbol","timeframe","candle_ts");--> statement-breakpoint
CREATE INDEX "fills_by_account" ON "trading"."fills" USING btree ("account_id","id");--> statement-breakpoint
CREATE INDEX "ledger_entries_by_account" ON "trading"."ledger_entries" USING btree ("account_id","id");--> statement-breakpoint
CREATE UNIQUE INDEX "ledger_entries_one_deposit" ON "trading"."ledger_entries" USING btree ("account_id") WHERE "trading"."ledger_entries"."kind" = 'deposit';--> statement-breakpoint
CREATE INDEX "order_events_by_order" ON "trading"."order_events" USING btree ("order_id");--> statement-breakpoint
CREATE INDEX "orders_newest" ON "trading"."orders" USING btree ("account_id","seq");--> statement-breakpoint
CREATE INDEX "orders_unsettled" ON "trading"."orders" USING btree ("account_id","symbol") WHERE "trading"."orders"."status" in ('sending', 'open');--> statement-breakpoint
CREATE INDEX "orders_waiting" ON "trading"."orders" USING btree ("symbol") WHERE "trading"."orders"."status" = 'open';--> statement-breakpoint
CREATE INDEX "orders_to_look_up" ON "trading"."orders" USING btree ("next_look_ms") WHERE "trading"."orders"."next_look_ms" is not null;--> statement-breakpoint
CREATE INDEX "orders_to_guard" ON "trading"."orders" USING btree ("next_guard_ms") WHERE "trading"."orders"."next_guard_ms" is not null;--> statement-breakpoint
CREATE INDEX "orders_that_guard" ON "trading"."orders" USING btree ("guards_id") WHERE "trading"."orders"."guards_id" is not null;--> statement-breakpoint
CREATE INDEX "backtest_forecasts_by_use" ON "trading"."backtest_forecasts" USING btree ("used_at_ms" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "backtest_jobs_by_user" ON "trading"."backtest_jobs" USING btree ("user_id","created_at_ms" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "backtest_runs_newest" ON "trading"."backtest_runs" USING btree ("created_at_ms" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "backtest_runs_by_user" ON "trading"."backtest_runs" USING btree ("user_id","created_at_ms" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "backtest_runs_by_bot" ON "trading"."backtest_runs" USING btree ("bot_id");--> statement-breakpoint
CREATE INDEX "bot_trades_newest" ON "trading"."bot_trades" USING btree ("bot_id","exit_time_ms");--> statement-breakpoint
CREATE INDEX "bots_by_user" ON "trading"."bots" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "bots_public" ON "trading"."bots" USING btree ("visibility");--> statement-breakpoint
CREATE INDEX "bots_temporary" ON "trading"."bots" USING btree ("created_at_ms") WHERE "trading"."bots"."temporary";--> statement-breakpoint
CREATE UNIQUE INDEX "datasets_one_active" ON "trading"."datasets" USING btree ("user_id","venue") WHERE "trading"."datasets"."active";--> statement-breakpoint
CREATE INDEX "series_use_by_expiry" ON "trading"."series_use" USING btree ("venue","expires_at_ms" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "importances_unfinished" ON "trading"."importances" USING btree ("requested_by") WHERE "trading"."importances"."status" in ('queued', 'running');--> statement-breakpoint
CREATE INDEX "candle_revisions_by_series" ON "trading"."candle_revisions" USING btree ("series_id","ts");--> statement-breakpoint
CREATE INDEX "artifacts_by_uploader" ON "trading"."artifacts" USING btree ("uploaded_by","created_at_ms" DESC NULLS LAST) WHERE "trading"."artifacts"."uploaded_by" is not null;--> statement-breakpoint
CREATE INDEX "artifacts_by_series" ON "trading"."artifacts" USING btree ("version","venue","symbol","timeframe","created_at_ms" DESC NULLS LAST);--> statement-breakpoint
CREATE UNIQUE INDEX "artifacts_one_active" ON "trading"."artifacts" USING btree ("version","venue","symbol","timeframe") WHERE "trading"."artifacts"."active";--> statement-breakpoint
CREATE UNIQUE INDEX "trainings_one_at_a_time" ON "trading"."trainings" USING btree ("version","venue","symbol","timeframe") WHERE "trading"."trainings"."status" in ('queued', 'running');--> statement-breakpoint
CREATE INDEX "trainings_by_user" ON "trading"."trainings" USING btree ("user_id","created_at_ms" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "openai_calls_of_a_day" ON "trading"."openai_calls" USING btree ("bot_id","day_ms");--> statement-breakpoint
CREATE INDEX "sealed_by_series" ON "trading"."sealed_predictions" USING btree ("venue","symbol","timeframe","candle_ts");--> statement-breakpoint
CREATE INDEX "sealed_by_version" ON "trading"."sealed_predictions" USING btree ("venue","version","seq");
--> statement-breakpoint
INSERT INTO "trading"."sealed_head" ("id", "rows", "hash") VALUES (1, 0, repeat('0', 64));
--> statement-breakpoint
ALTER TABLE "trading"."drift_states" ADD CONSTRAINT "drift_states_of_artifact" FOREIGN KEY ("artifact_id") REFERENCES "trading"."artifacts"("id") ON DELETE CASCADE;
--> statement-breakpoint
ALTER TABLE "trading"."predictions" ADD CONSTRAINT "predictions_of_artifact" FOREIGN KEY ("artifact_id") REFERENCES "trading"."artifacts"("id") ON DELETE CASCADE;
--> statement-breakpoint
ALTER TABLE "trading"."importances" ADD CONSTRAINT "importances_of_artifact" FOREIGN KEY ("artifact_id") REFERENCES "trading"."artifacts"("id") ON DELETE CASCADE;
--> statement-breakpoint
ALTER TABLE "trading"."openai_calls" ADD CONSTRAINT "openai_calls_bot_id_bots_id_fk" FOREIGN KEY ("bot_id") REFERENCES "trading"."bots"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
CREATE FUNCTION "trading"."refuse_change"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'the table % is append-only', TG_TABLE_NAME;
END
$$;
--> statement-breakpoint
CREATE FUNCTION "trading"."announce_training"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' AND NEW.status = OLD.status AND NEW.progress = OLD.progress THEN RETURN NULL; END IF;
  PERFORM pg_notify('shapecast_live', json_build_array(json_build_object(
    't', 'job', 'kind', 'training', 'id', NEW.id, 'userId', NEW.user_id, 'status', NEW.status,
    'current', NEW.progress->'current', 'total', NEW.progress->'total'))::text);
  RETURN NULL;
END
$$;
--> statement-breakpoint
CREATE FUNCTION "trading"."announce_backtest"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' AND NEW.status = OLD.status AND NEW.progress_current = OLD.progress_current
    AND NEW.progress_total = OLD.progress_total THEN RETURN NULL; END IF;
  PERFORM pg_notify('shapecast_live', json_build_array(json_build_object(
    't', 'job', 'kind', 'backtest', 'id', NEW.id, 'userId', NEW.user_id, 'status', NEW.status,
    'current', NEW.progress_current, 'total', NEW.progress_total))::text);
  RETURN NULL;
END
$$;
--> statement-breakpoint
CREATE FUNCTION "trading"."announce_download"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('shapecast_live', json_build_array(json_build_object(
    't', 'job', 'kind', 'download', 'id', NEW.id, 'userId', NEW.user_id, 'status', NEW.status,
    'current', least(greatest(NEW.resume_ms, NEW.from_ms), NEW.to_ms) - NEW.from_ms,
    'total', NEW.to_ms - NEW.from_ms))::text);
  RETURN NULL;
END
$$;
--> statement-breakpoint
CREATE FUNCTION "trading"."announce_bot"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  bot "trading"."bots"%ROWTYPE;
BEGIN
  IF TG_OP = 'DELETE' THEN bot := OLD; ELSE bot := NEW; END IF;
  IF bot.temporary THEN RETURN NULL; END IF;
  IF TG_OP = 'UPDATE' AND NEW IS NOT DISTINCT FROM OLD THEN RETURN NULL; END IF;
  PERFORM pg_notify('shapecast_live', json_build_array(json_build_object(
    't', 'bot', 'id', bot.id, 'userId', bot.user_id, 'venue', bot.venue, 'status', bot.status, 'name', bot.name,
    'change', CASE TG_OP WHEN 'INSERT' THEN 'created' WHEN 'UPDATE' THEN 'changed' ELSE 'removed' END,
    'public', bot.visibility = 'public',
    'wasPublic', TG_OP <> 'INSERT' AND OLD.visibility = 'public'))::text);
  RETURN NULL;
END
$$;
--> statement-breakpoint
CREATE FUNCTION "trading"."show_bot_activities"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE "platform"."activities" SET is_public = NEW.visibility = 'public', owner_id = NEW.user_id
  WHERE subject_id = NEW.id::text AND type = 'bot';
  RETURN NULL;
END
$$;
--> statement-breakpoint
CREATE FUNCTION "trading"."announce_revision"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('shapecast_live', json_build_array(json_build_object(
    't', 'candle', 'venue', s.venue, 'symbol', s.symbol, 'timeframe', s.timeframe, 'closed', true,
    'row', json_build_array(NEW.ts, NEW.after[1], NEW.after[2], NEW.after[3], NEW.after[4], NEW.after[5])))::text)
  FROM "trading"."series" s WHERE s.id = NEW.series_id;
  RETURN NULL;
END
$$;
--> statement-breakpoint
CREATE FUNCTION "trading"."refuse_lone_change"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  -- Rows go with their account only, which is then the outer statement.
  IF TG_OP = 'DELETE' AND pg_trigger_depth() > 1 THEN RETURN NULL; END IF;
  RAISE EXCEPTION 'the table % is append-only', TG_TABLE_NAME;
END
$$;
--> statement-breakpoint
CREATE FUNCTION "trading"."keep_user_accounts"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.owner_kind = 'bot' THEN RETURN OLD; END IF;
  RAISE EXCEPTION 'the account of a user is never deleted';
END
$$;
--> statement-breakpoint
CREATE FUNCTION "trading"."sum_ledger"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE "trading"."accounts" a SET balance = a.balance + s.amount, fees = a.fees + s.fees
  FROM (SELECT account_id, sum(amount) AS amount, coalesce(-sum(amount) FILTER (WHERE kind = 'fee'), 0) AS fees
    FROM added GROUP BY account_id) s
  WHERE a.id = s.account_id;
  RETURN NULL;
END
$$;
--> statement-breakpoint
CREATE FUNCTION "trading"."sum_profits"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE "trading"."accounts" a SET realised_pnl = a.realised_pnl + s.pnl
  FROM (SELECT account_id, sum(pnl) AS pnl FROM added WHERE pnl IS NOT NULL GROUP BY account_id) s
  WHERE a.id = s.account_id;
  RETURN NULL;
END
$$;
--> statement-breakpoint
CREATE TRIGGER "trainings_announced" AFTER INSERT OR UPDATE ON "trading"."trainings" FOR EACH ROW EXECUTE FUNCTION "trading"."announce_training"();
--> statement-breakpoint
CREATE TRIGGER "backtest_jobs_announced" AFTER INSERT OR UPDATE ON "trading"."backtest_jobs" FOR EACH ROW EXECUTE FUNCTION "trading"."announce_backtest"();
--> statement-breakpoint
CREATE TRIGGER "downloads_announced" AFTER INSERT OR UPDATE ON "trading"."downloads" FOR EACH ROW EXECUTE FUNCTION "trading"."announce_download"();
--> statement-breakpoint
CREATE TRIGGER "bots_announced" AFTER INSERT OR UPDATE OR DELETE ON "trading"."bots" FOR EACH ROW EXECUTE FUNCTION "trading"."announce_bot"();
--> statement-breakpoint
CREATE TRIGGER "sealed_predictions_append_only" BEFORE UPDATE OR DELETE OR TRUNCATE ON "trading"."sealed_predictions" FOR EACH STATEMENT EXECUTE FUNCTION "trading"."refuse_change"();
--> statement-breakpoint
CREATE TRIGGER "sealed_scores_append_only" BEFORE UPDATE OR DELETE OR TRUNCATE ON "trading"."sealed_scores" FOR EACH STATEMENT EXECUTE FUNCTION "trading"."refuse_change"();
--> statement-breakpoint
CREATE TRIGGER "bots_activities_shown" AFTER UPDATE OF visibility ON "trading"."bots" FOR EACH ROW WHEN (NEW.visibility IS DISTINCT FROM OLD.visibility) EXECUTE FUNCTION "trading"."show_bot_activities"();
--> statement-breakpoint
CREATE TRIGGER "candle_revisions_announced" AFTER INSERT ON "trading"."candle_revisions" FOR EACH ROW EXECUTE FUNCTION "trading"."announce_revision"();
--> statement-breakpoint
CREATE TRIGGER "ledger_entries_append_only" BEFORE UPDATE OR DELETE OR TRUNCATE ON "trading"."ledger_entries" FOR EACH STATEMENT EXECUTE FUNCTION "trading"."refuse_lone_change"();
--> statement-breakpoint
CREATE TRIGGER "fills_append_only" BEFORE UPDATE OR DELETE OR TRUNCATE ON "trading"."fills" FOR EACH STATEMENT EXECUTE FUNCTION "trading"."refuse_lone_change"();
--> statement-breakpoint
CREATE TRIGGER "order_events_append_only" BEFORE UPDATE OR DELETE OR TRUNCATE ON "trading"."order_events" FOR EACH STATEMENT EXECUTE FUNCTION "trading"."refuse_lone_change"();
--> statement-breakpoint
CREATE TRIGGER "auto_trade_decisions_append_only" BEFORE UPDATE OR DELETE OR TRUNCATE ON "trading"."auto_trade_decisions" FOR EACH STATEMENT EXECUTE FUNCTION "trading"."refuse_lone_change"();
--> statement-breakpoint
CREATE TRIGGER "keyed_replies_append_only" BEFORE UPDATE OR DELETE OR TRUNCATE ON "trading"."keyed_replies" FOR EACH STATEMENT EXECUTE FUNCTION "trading"."refuse_lone_change"();
--> statement-breakpoint
CREATE TRIGGER "accounts_of_users_stay" BEFORE DELETE ON "trading"."accounts" FOR EACH ROW EXECUTE FUNCTION "trading"."keep_user_accounts"();
--> statement-breakpoint
CREATE TRIGGER "ledger_entries_summed" AFTER INSERT ON "trading"."ledger_entries" REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION "trading"."sum_ledger"();
--> statement-breakpoint
CREATE TRIGGER "fills_summed" AFTER INSERT ON "trading"."fills" REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION "trading"."sum_profits"();
