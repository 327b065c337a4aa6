CREATE TABLE "trading"."bot_hand_orders" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"bot_id" uuid NOT NULL,
	"symbol" text NOT NULL,
	"asked_ms" bigint NOT NULL,
	"candle_ts" bigint NOT NULL,
	"order_id" uuid,
	"quantity" double precision NOT NULL,
	"price" double precision NOT NULL,
	"filled_price" double precision,
	"reason" text
);
--> statement-breakpoint
ALTER TABLE "trading"."bot_hand_orders" ADD CONSTRAINT "bot_hand_orders_bot_id_bots_id_fk" FOREIGN KEY ("bot_id") REFERENCES "trading"."bots"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "bot_hand_orders_by_bot" ON "trading"."bot_hand_orders" USING btree ("bot_id","id");--> statement-breakpoint
CREATE INDEX "bot_hand_orders_by_order" ON "trading"."bot_hand_orders" USING btree ("order_id");