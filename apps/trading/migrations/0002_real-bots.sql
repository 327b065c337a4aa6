CREATE TABLE "trading"."real_trading" (
	"venue" text NOT NULL,
	"network" text NOT NULL,
	"killed_at_ms" bigint,
	"killed_by" uuid,
	"closing" boolean DEFAULT false NOT NULL,
	"max_bots" numeric(38, 8) NOT NULL,
	"max_orders_a_minute" integer NOT NULL,
	CONSTRAINT "real_trading_key" PRIMARY KEY("venue","network")
);
--> statement-breakpoint
ALTER TABLE "trading"."accounts" ADD COLUMN "key_user_id" uuid;--> statement-breakpoint
ALTER TABLE "trading"."orders" ADD COLUMN "exit_reason" text;--> statement-breakpoint
ALTER TABLE "trading"."orders" ADD COLUMN "to_settle" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "trading"."bot_states" ADD COLUMN "real" jsonb;--> statement-breakpoint
CREATE INDEX "orders_to_settle" ON "trading"."orders" USING btree ("account_id") WHERE "trading"."orders"."to_settle";