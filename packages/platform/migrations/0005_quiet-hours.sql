ALTER TABLE "platform"."webhook_deliveries" ADD COLUMN "held_until_ms" bigint;--> statement-breakpoint
ALTER TABLE "platform"."notification_settings" ADD COLUMN "quiet" jsonb;--> statement-breakpoint
CREATE UNIQUE INDEX "webhook_deliveries_held" ON "platform"."webhook_deliveries" USING btree ("user_id","channel","held_until_ms");