CREATE SCHEMA "platform";
--> statement-breakpoint
CREATE TABLE "platform"."activities" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"at" timestamp with time zone DEFAULT now() NOT NULL,
	"type" text NOT NULL,
	"action" text NOT NULL,
	"actor_id" uuid,
	"owner_id" uuid,
	"is_public" boolean NOT NULL,
	"subject_id" text NOT NULL,
	"subject_name" text NOT NULL,
	"detail" text
);
--> statement-breakpoint
CREATE TABLE "platform"."audit" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"at" timestamp with time zone DEFAULT now() NOT NULL,
	"actor_id" uuid,
	"address" text,
	"action" text NOT NULL,
	"subject_type" text NOT NULL,
	"subject_id" text NOT NULL,
	"before" jsonb,
	"after" jsonb
);
--> statement-breakpoint
CREATE TABLE "platform"."installation" (
	"key" text PRIMARY KEY NOT NULL,
	"value" jsonb NOT NULL
);
--> statement-breakpoint
CREATE TABLE "platform"."notification_settings" (
	"user_id" uuid PRIMARY KEY NOT NULL,
	"choices" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"webhook_url" text,
	"webhook_is_on" boolean DEFAULT false NOT NULL,
	"webhook_secret" text
);
--> statement-breakpoint
CREATE TABLE "platform"."notifications" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"user_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"title" text NOT NULL,
	"text" text NOT NULL,
	"link" text,
	"created_at_ms" bigint NOT NULL,
	"read_at_ms" bigint
);
--> statement-breakpoint
CREATE TABLE "platform"."sessions" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"user_id" uuid NOT NULL,
	"role" text NOT NULL,
	"address" text,
	"created_at" timestamp with time zone NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"ended_at" timestamp with time zone,
	"user_agent" text,
	"last_seen_at" timestamp with time zone,
	"is_limited" boolean DEFAULT false NOT NULL,
	"confirmed_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "platform"."webhook_deliveries" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
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
CREATE INDEX "activities_type" ON "platform"."activities" USING btree ("type","id");--> statement-breakpoint
CREATE INDEX "activities_actor" ON "platform"."activities" USING btree ("actor_id","id");--> statement-breakpoint
CREATE INDEX "activities_subject" ON "platform"."activities" USING btree ("subject_id","id");--> statement-breakpoint
CREATE INDEX "audit_subject" ON "platform"."audit" USING btree ("subject_type","subject_id","id");--> statement-breakpoint
CREATE INDEX "audit_actor" ON "platform"."audit" USING btree ("actor_id","id");--> statement-breakpoint
CREATE INDEX "notifications_user" ON "platform"."notifications" USING btree ("user_id","id");--> statement-breakpoint
CREATE INDEX "notifications_unread" ON "platform"."notifications" USING btree ("user_id") WHERE "platform"."notifications"."read_at_ms" is null;--> statement-breakpoint
CREATE INDEX "sessions_user" ON "platform"."sessions" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "sessions_expiry" ON "platform"."sessions" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "webhook_deliveries_user" ON "platform"."webhook_deliveries" USING btree ("user_id","id");--> statement-breakpoint
CREATE INDEX "webhook_deliveries_due" ON "platform"."webhook_deliveries" USING btree ("next_try_at_ms") WHERE "platform"."webhook_deliveries"."state" = 'waiting';
--> statement-breakpoint
CREATE FUNCTION platform.refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'the audit is append-only' USING ERRCODE = 'restrict_violation';
END
$$;
--> statement-breakpoint
CREATE FUNCTION platform.announce_notification() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('shapecast_live', json_build_array(json_build_object('t', 'notification', 'userId', NEW.user_id))::text);
  RETURN NULL;
END
$$;
--> statement-breakpoint
CREATE TRIGGER audit_append_only BEFORE UPDATE OR DELETE ON platform.audit
  FOR EACH ROW EXECUTE FUNCTION platform.refuse_change();
--> statement-breakpoint
CREATE TRIGGER audit_not_truncated BEFORE TRUNCATE ON platform.audit
  FOR EACH STATEMENT EXECUTE FUNCTION platform.refuse_change();
--> statement-breakpoint
CREATE TRIGGER notifications_announced AFTER INSERT OR UPDATE ON platform.notifications FOR EACH ROW EXECUTE FUNCTION platform.announce_notification();
