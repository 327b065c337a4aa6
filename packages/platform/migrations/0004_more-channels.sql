CREATE TABLE "platform"."notification_links" (
	"user_id" uuid NOT NULL,
	"channel" text NOT NULL,
	"code_hash" text NOT NULL,
	"address" text,
	"expires_at_ms" bigint NOT NULL,
	CONSTRAINT "notification_links_user_id_channel_pk" PRIMARY KEY("user_id","channel")
);
--> statement-breakpoint
ALTER TABLE "platform"."notification_receivers" ADD COLUMN "name" text;--> statement-breakpoint
ALTER TABLE "platform"."notification_receivers" ADD COLUMN "since_ms" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "platform"."notification_receivers" ADD COLUMN "takes_commands" boolean DEFAULT false NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX "notification_receivers_chat" ON "platform"."notification_receivers" USING btree ("url") WHERE "platform"."notification_receivers"."channel" = 'telegram';