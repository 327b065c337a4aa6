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
CREATE INDEX "orders_that_guard" ON "trading"."orders" USING btree ("guards_id") WHERE "trading"."orders"."guards_id" is not null;
--> statement-breakpoint
CREATE FUNCTION "trading"."refuse_lone_change"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  -- Rows go with their account only, which is then the outer statement.
  IF TG_OP = 'DELETE' AND pg_trigger_depth() > 1 THEN RETURN NULL; END IF;
  RAISE EXCEPTION 'the table % is append-only', TG_TABLE_NAME;
END
$$;
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
CREATE FUNCTION "trading"."keep_user_accounts"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.owner_kind = 'bot' THEN RETURN OLD; END IF;
  RAISE EXCEPTION 'the account of a user is never deleted';
END
$$;
--> statement-breakpoint
CREATE TRIGGER "accounts_of_users_stay" BEFORE DELETE ON "trading"."accounts" FOR EACH ROW EXECUTE FUNCTION "trading"."keep_user_accounts"();
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
CREATE TRIGGER "ledger_entries_summed" AFTER INSERT ON "trading"."ledger_entries" REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION "trading"."sum_ledger"();
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
CREATE TRIGGER "fills_summed" AFTER INSERT ON "trading"."fills" REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION "trading"."sum_profits"();
