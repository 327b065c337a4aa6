ALTER TABLE "trading"."accounts" ADD COLUMN "market" text DEFAULT 'spot' NOT NULL;--> statement-breakpoint
ALTER TABLE "trading"."ledger_entries" ADD COLUMN "symbol" text;--> statement-breakpoint
ALTER TABLE "trading"."ledger_entries" ADD COLUMN "venue_id" text;--> statement-breakpoint
ALTER TABLE "trading"."orders" ADD COLUMN "reduce_only" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "trading"."orders" ADD COLUMN "guard_pct" double precision;--> statement-breakpoint
CREATE UNIQUE INDEX "ledger_entries_of_venue" ON "trading"."ledger_entries" USING btree ("account_id","venue_id") WHERE "trading"."ledger_entries"."venue_id" is not null;