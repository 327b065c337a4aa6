ALTER TABLE "trading"."orders" ADD COLUMN "rests_until_ms" bigint;--> statement-breakpoint
ALTER TABLE "trading"."orders" ADD COLUMN "rest_of_id" uuid;--> statement-breakpoint
ALTER TABLE "trading"."orders" ADD CONSTRAINT "orders_rest_of_id_orders_id_fk" FOREIGN KEY ("rest_of_id") REFERENCES "trading"."orders"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "orders_of_rests" ON "trading"."orders" USING btree ("rest_of_id") WHERE "trading"."orders"."rest_of_id" is not null;