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
CREATE TABLE "trading"."real_fills" (
	"order_id" uuid NOT NULL,
	"trade_id" text NOT NULL,
	"price" double precision NOT NULL,
	"quantity" numeric(38, 8) NOT NULL,
	"fees" jsonb NOT NULL,
	"venue_ms" bigint,
	"at_ms" bigint NOT NULL,
	CONSTRAINT "real_fills_key" PRIMARY KEY("order_id","trade_id")
);
--> statement-breakpoint
CREATE TABLE "trading"."real_order_events" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"order_id" uuid NOT NULL,
	"what" text NOT NULL,
	"said" jsonb NOT NULL,
	"at_ms" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "trading"."real_orders" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"account_id" uuid NOT NULL,
	"network" text NOT NULL,
	"key_mark" text NOT NULL,
	"client_order_id" text NOT NULL,
	"venue_order_id" text,
	"symbol" text NOT NULL,
	"side" text NOT NULL,
	"type" text NOT NULL,
	"status" text NOT NULL,
	"status_reason" text,
	"quantity" numeric(38, 8) NOT NULL,
	"filled" numeric(38, 8) NOT NULL,
	"price" double precision,
	"average" double precision,
	"source" text NOT NULL,
	"created_at_ms" bigint NOT NULL,
	"closed_at_ms" bigint,
	"looks" integer NOT NULL,
	"next_look_ms" bigint,
	"guard_price" double precision,
	"guard_tries" integer DEFAULT 0 NOT NULL,
	"next_guard_ms" bigint,
	"guards_id" uuid,
	CONSTRAINT "real_orders_client_order_id_unique" UNIQUE("client_order_id")
);
--> statement-breakpoint
ALTER TABLE "trading"."auto_trade_decisions" ADD COLUMN "is_virtual" boolean DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE "trading"."auto_trade_decisions" ADD COLUMN "real_order_id" uuid;--> statement-breakpoint
ALTER TABLE "trading"."real_fills" ADD CONSTRAINT "real_fills_order_id_real_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "trading"."real_orders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "trading"."real_order_events" ADD CONSTRAINT "real_order_events_order_id_real_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "trading"."real_orders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "trading"."real_orders" ADD CONSTRAINT "real_orders_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "trading"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "trading"."real_orders" ADD CONSTRAINT "real_orders_guards_id_real_orders_id_fk" FOREIGN KEY ("guards_id") REFERENCES "trading"."real_orders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "real_order_events_by_order" ON "trading"."real_order_events" USING btree ("order_id");--> statement-breakpoint
CREATE INDEX "real_orders_newest" ON "trading"."real_orders" USING btree ("account_id","id");--> statement-breakpoint
CREATE INDEX "real_orders_due" ON "trading"."real_orders" USING btree ("next_look_ms") WHERE "trading"."real_orders"."next_look_ms" is not null;--> statement-breakpoint
CREATE INDEX "real_orders_to_guard" ON "trading"."real_orders" USING btree ("next_guard_ms") WHERE "trading"."real_orders"."next_guard_ms" is not null;--> statement-breakpoint
CREATE INDEX "real_orders_guards" ON "trading"."real_orders" USING btree ("guards_id") WHERE "trading"."real_orders"."guards_id" is not null;--> statement-breakpoint
ALTER TABLE "trading"."auto_trade_decisions" ADD CONSTRAINT "auto_trade_decisions_real_order_id_real_orders_id_fk" FOREIGN KEY ("real_order_id") REFERENCES "trading"."real_orders"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
CREATE TRIGGER "real_fills_append_only" BEFORE UPDATE OR DELETE OR TRUNCATE ON "trading"."real_fills" FOR EACH STATEMENT EXECUTE FUNCTION "trading"."refuse_change"();
--> statement-breakpoint
CREATE TRIGGER "real_order_events_append_only" BEFORE UPDATE OR DELETE OR TRUNCATE ON "trading"."real_order_events" FOR EACH STATEMENT EXECUTE FUNCTION "trading"."refuse_change"();
