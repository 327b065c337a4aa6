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
ALTER TABLE "trading"."real_orders" ADD COLUMN "counted" numeric(38, 8) DEFAULT 0 NOT NULL;