ALTER TABLE "trading"."backtest_runs" ADD COLUMN "name" text;--> statement-breakpoint
ALTER TABLE "trading"."backtest_runs" ADD COLUMN "note" text;