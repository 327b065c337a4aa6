CREATE TABLE "platform"."notification_settings" (
	"user_id" uuid PRIMARY KEY NOT NULL,
	"choices" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"webhook_url" text,
	"webhook_is_on" boolean DEFAULT false NOT NULL,
	"webhook_secret" text
);
--> statement-breakpoint
CREATE TABLE "platform"."notifications" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"user_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"title" text NOT NULL,
	"text" text NOT NULL,
	"link" text,
	"created_at_ms" bigint NOT NULL,
	"read_at_ms" bigint
);
--> statement-breakpoint
CREATE TABLE "platform"."webhook_deliveries" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"user_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"title" text NOT NULL,
	"text" text NOT NULL,
	"link" text,
	"state" text NOT NULL,
	"tries" integer DEFAULT 0 NOT NULL,
	"next_try_at_ms" bigint,
	"answer" text,
	"took_ms" integer,
	"created_at_ms" bigint NOT NULL
);
--> statement-breakpoint
ALTER TABLE "platform"."sessions" ADD COLUMN "user_agent" text;--> statement-breakpoint
ALTER TABLE "platform"."sessions" ADD COLUMN "last_seen_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "platform"."sessions" ADD COLUMN "is_limited" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "platform"."sessions" ADD COLUMN "confirmed_at" timestamp with time zone;--> statement-breakpoint
CREATE INDEX "notifications_user" ON "platform"."notifications" USING btree ("user_id","id");--> statement-breakpoint
CREATE INDEX "notifications_unread" ON "platform"."notifications" USING btree ("user_id") WHERE "platform"."notifications"."read_at_ms" is null;--> statement-breakpoint
CREATE INDEX "webhook_deliveries_user" ON "platform"."webhook_deliveries" USING btree ("user_id","id");--> statement-breakpoint
CREATE INDEX "webhook_deliveries_due" ON "platform"."webhook_deliveries" USING btree ("next_try_at_ms") WHERE "platform"."webhook_deliveries"."state" = 'waiting';