CREATE TABLE "platform"."notification_receivers" (
	"user_id" uuid NOT NULL,
	"channel" text NOT NULL,
	"url" text NOT NULL,
	"is_on" boolean NOT NULL,
	"secret" text,
	CONSTRAINT "notification_receivers_user_id_channel_pk" PRIMARY KEY("user_id","channel")
);
--> statement-breakpoint
INSERT INTO "platform"."notification_receivers" ("user_id", "channel", "url", "is_on", "secret")
  SELECT "user_id", 'webhook', "webhook_url", "webhook_is_on", "webhook_secret" FROM "platform"."notification_settings" WHERE "webhook_url" IS NOT NULL;
--> statement-breakpoint
ALTER TABLE "platform"."webhook_deliveries" ADD COLUMN "channel" text DEFAULT 'webhook' NOT NULL;--> statement-breakpoint
ALTER TABLE "platform"."notification_settings" DROP COLUMN "webhook_url";--> statement-breakpoint
ALTER TABLE "platform"."notification_settings" DROP COLUMN "webhook_is_on";--> statement-breakpoint
ALTER TABLE "platform"."notification_settings" DROP COLUMN "webhook_secret";