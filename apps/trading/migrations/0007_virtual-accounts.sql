CREATE TABLE "trading"."account_fills" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"order_id" uuid NOT NULL,
	"account_id" uuid NOT NULL,
	"price" double precision NOT NULL,
	"raw_price" double precision NOT NULL,
	"quantity" numeric(38, 8) NOT NULL,
	"notional" numeric(38, 8) NOT NULL,
	"fee" numeric(38, 8) NOT NULL,
	"pnl" numeric(38, 8),
	"market_ms" bigint NOT NULL,
	"at_ms" bigint NOT NULL,
	CONSTRAINT "account_fills_order_id_unique" UNIQUE("order_id")
);
--> statement-breakpoint
CREATE TABLE "trading"."account_orders" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"account_id" uuid NOT NULL,
	"client_order_id" text NOT NULL,
	"symbol" text NOT NULL,
	"side" text NOT NULL,
	"type" text NOT NULL,
	"status" text NOT NULL,
	"status_reason" text,
	"quantity" numeric(38, 8) NOT NULL,
	"price" double precision,
	"reserved" numeric(38, 8) NOT NULL,
	"source" text NOT NULL,
	"placed_market_ms" bigint NOT NULL,
	"created_at_ms" bigint NOT NULL,
	"closed_at_ms" bigint,
	CONSTRAINT "account_orders_once" UNIQUE("account_id","client_order_id")
);
--> statement-breakpoint
CREATE TABLE "trading"."account_positions" (
	"account_id" uuid NOT NULL,
	"symbol" text NOT NULL,
	"quantity" numeric(38, 8) NOT NULL,
	"cost" numeric(38, 8) NOT NULL,
	"opened_at_ms" bigint NOT NULL,
	CONSTRAINT "account_positions_key" PRIMARY KEY("account_id","symbol")
);
--> statement-breakpoint
CREATE TABLE "trading"."accounts" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"user_id" uuid NOT NULL,
	"venue" text NOT NULL,
	"created_at_ms" bigint NOT NULL,
	CONSTRAINT "accounts_of_users" UNIQUE("user_id","venue")
);
--> statement-breakpoint
CREATE TABLE "trading"."auto_trade_decisions" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
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
	"stop_order_id" uuid,
	"at_ms" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "trading"."keyed_replies" (
	"account_id" uuid NOT NULL,
	"key" text NOT NULL,
	"request_hash" text NOT NULL,
	"reply" jsonb NOT NULL,
	"at_ms" bigint NOT NULL,
	CONSTRAINT "keyed_replies_key" PRIMARY KEY("account_id","key")
);
--> statement-breakpoint
CREATE TABLE "trading"."ledger_entries" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"account_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"amount" numeric(38, 8) NOT NULL,
	"fill_id" uuid,
	"at_ms" bigint NOT NULL,
	CONSTRAINT "ledger_entries_once" UNIQUE("fill_id","kind")
);
--> statement-breakpoint
CREATE TABLE "trading"."watched_symbols" (
	"venue" text NOT NULL,
	"symbol" text NOT NULL,
	"checked_until_ms" bigint NOT NULL,
	CONSTRAINT "watched_symbols_key" PRIMARY KEY("venue","symbol")
);
--> statement-breakpoint
ALTER TABLE "trading"."account_fills" ADD CONSTRAINT "account_fills_order_id_account_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "trading"."account_orders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "trading"."account_fills" ADD CONSTRAINT "account_fills_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "trading"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "trading"."account_orders" ADD CONSTRAINT "account_orders_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "trading"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "trading"."account_positions" ADD CONSTRAINT "account_positions_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "trading"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "trading"."auto_trade_decisions" ADD CONSTRAINT "auto_trade_decisions_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "trading"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "trading"."auto_trade_decisions" ADD CONSTRAINT "auto_trade_decisions_order_id_account_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "trading"."account_orders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "trading"."auto_trade_decisions" ADD CONSTRAINT "auto_trade_decisions_stop_order_id_account_orders_id_fk" FOREIGN KEY ("stop_order_id") REFERENCES "trading"."account_orders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "trading"."keyed_replies" ADD CONSTRAINT "keyed_replies_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "trading"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "trading"."ledger_entries" ADD CONSTRAINT "ledger_entries_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "trading"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "trading"."ledger_entries" ADD CONSTRAINT "ledger_entries_fill_id_account_fills_id_fk" FOREIGN KEY ("fill_id") REFERENCES "trading"."account_fills"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "account_fills_by_account" ON "trading"."account_fills" USING btree ("account_id");--> statement-breakpoint
CREATE INDEX "account_orders_open" ON "trading"."account_orders" USING btree ("symbol") WHERE "trading"."account_orders"."status" = 'open';--> statement-breakpoint
CREATE INDEX "account_orders_newest" ON "trading"."account_orders" USING btree ("account_id","id");--> statement-breakpoint
CREATE INDEX "auto_trade_decisions_by_candle" ON "trading"."auto_trade_decisions" USING btree ("account_id","symbol","timeframe","candle_ts");--> statement-breakpoint
CREATE INDEX "ledger_entries_by_account" ON "trading"."ledger_entries" USING btree ("account_id");--> statement-breakpoint
CREATE UNIQUE INDEX "ledger_entries_one_deposit" ON "trading"."ledger_entries" USING btree ("account_id") WHERE "trading"."ledger_entries"."kind" = 'deposit';