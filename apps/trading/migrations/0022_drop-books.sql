ALTER TABLE "trading"."auto_trade_decisions" DISABLE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "trading"."exchange_keys" DISABLE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "trading"."real_fills" DISABLE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "trading"."real_order_events" DISABLE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "trading"."real_orders" DISABLE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "trading"."trading_limits" DISABLE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "trading"."account_fills" DISABLE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "trading"."account_orders" DISABLE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "trading"."account_positions" DISABLE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "trading"."accounts" DISABLE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "trading"."keyed_replies" DISABLE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "trading"."ledger_entries" DISABLE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "trading"."watched_symbols" DISABLE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "trading"."ledger" DISABLE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "trading"."sub_accounts" DISABLE ROW LEVEL SECURITY;--> statement-breakpoint
DROP TABLE "trading"."auto_trade_decisions" CASCADE;--> statement-breakpoint
DROP TABLE "trading"."exchange_keys" CASCADE;--> statement-breakpoint
DROP TABLE "trading"."real_fills" CASCADE;--> statement-breakpoint
DROP TABLE "trading"."real_order_events" CASCADE;--> statement-breakpoint
DROP TABLE "trading"."real_orders" CASCADE;--> statement-breakpoint
DROP TABLE "trading"."trading_limits" CASCADE;--> statement-breakpoint
DROP TABLE "trading"."account_fills" CASCADE;--> statement-breakpoint
DROP TABLE "trading"."account_orders" CASCADE;--> statement-breakpoint
DROP TABLE "trading"."account_positions" CASCADE;--> statement-breakpoint
DROP TABLE "trading"."accounts" CASCADE;--> statement-breakpoint
DROP TABLE "trading"."keyed_replies" CASCADE;--> statement-breakpoint
DROP TABLE "trading"."ledger_entries" CASCADE;--> statement-breakpoint
DROP TABLE "trading"."watched_symbols" CASCADE;--> statement-breakpoint
DROP TABLE "trading"."ledger" CASCADE;--> statement-breakpoint
DROP TABLE "trading"."sub_accounts" CASCADE;--> statement-breakpoint
ALTER TABLE "trading"."backtest_jobs" ALTER COLUMN "id" SET DEFAULT gen_random_uuid();--> statement-breakpoint
ALTER TABLE "trading"."backtest_runs" ALTER COLUMN "id" SET DEFAULT gen_random_uuid();--> statement-breakpoint
ALTER TABLE "trading"."bot_decisions" ALTER COLUMN "id" SET DEFAULT gen_random_uuid();--> statement-breakpoint
ALTER TABLE "trading"."bot_trades" ALTER COLUMN "id" SET DEFAULT gen_random_uuid();--> statement-breakpoint
ALTER TABLE "trading"."bots" ALTER COLUMN "id" SET DEFAULT gen_random_uuid();--> statement-breakpoint
ALTER TABLE "trading"."datasets" ALTER COLUMN "id" SET DEFAULT gen_random_uuid();--> statement-breakpoint
ALTER TABLE "trading"."candle_revisions" ALTER COLUMN "id" SET DEFAULT gen_random_uuid();--> statement-breakpoint
ALTER TABLE "trading"."downloads" ALTER COLUMN "id" SET DEFAULT gen_random_uuid();--> statement-breakpoint
ALTER TABLE "trading"."artifacts" ALTER COLUMN "id" SET DEFAULT gen_random_uuid();--> statement-breakpoint
ALTER TABLE "trading"."trainings" ALTER COLUMN "id" SET DEFAULT gen_random_uuid();