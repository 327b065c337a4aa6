CREATE SCHEMA "social";
--> statement-breakpoint
CREATE TABLE "social"."users" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"username" text NOT NULL,
	"name_key" text,
	"email" text NOT NULL,
	"role" text NOT NULL,
	"password_hash" text NOT NULL,
	"password_changed_at_ms" bigint,
	"created_at_ms" bigint NOT NULL,
	"disabled_at" timestamp with time zone,
	"deletes_at_ms" bigint
);
--> statement-breakpoint
CREATE TABLE "social"."password_attempts" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"email" text NOT NULL,
	"address" text NOT NULL,
	"at_ms" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "social"."recovery_codes" (
	"user_id" uuid NOT NULL,
	"code_hash" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "social"."second_factors" (
	"user_id" uuid PRIMARY KEY NOT NULL,
	"secret" text,
	"pending_secret" text,
	"on_since_ms" bigint,
	"last_step" integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "social"."tasks" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"title" text NOT NULL,
	"description" text NOT NULL,
	"status" text NOT NULL,
	"priority" text NOT NULL,
	"tags" text[] NOT NULL,
	"author_id" uuid,
	"votes_for" integer DEFAULT 0 NOT NULL,
	"votes_against" integer DEFAULT 0 NOT NULL,
	"created_at_ms" bigint NOT NULL,
	"updated_at_ms" bigint NOT NULL,
	"deleted_at_ms" bigint,
	"deleted_by" uuid
);
--> statement-breakpoint
CREATE TABLE "social"."invitations" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"email" text NOT NULL,
	"code_hash" text NOT NULL,
	"invited_by" uuid,
	"created_at_ms" bigint NOT NULL,
	"expires_at_ms" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "social"."reset_codes" (
	"user_id" uuid PRIMARY KEY NOT NULL,
	"code_hash" text NOT NULL,
	"expires_at_ms" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "social"."votes" (
	"task_id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	"vote_type" text NOT NULL,
	"comment" text NOT NULL,
	"created_at_ms" bigint NOT NULL,
	"updated_at_ms" bigint NOT NULL,
	CONSTRAINT "votes_task_id_user_id_pk" PRIMARY KEY("task_id","user_id")
);
--> statement-breakpoint
CREATE UNIQUE INDEX "users_username_unique" ON "social"."users" USING btree (lower("username"));--> statement-breakpoint
CREATE UNIQUE INDEX "users_name_key_unique" ON "social"."users" USING btree ("name_key");--> statement-breakpoint
CREATE UNIQUE INDEX "users_email_unique" ON "social"."users" USING btree ("email");--> statement-breakpoint
CREATE INDEX "password_attempts_by_address" ON "social"."password_attempts" USING btree ("address","at_ms");--> statement-breakpoint
CREATE UNIQUE INDEX "recovery_codes_of_user" ON "social"."recovery_codes" USING btree ("user_id","code_hash");--> statement-breakpoint
CREATE INDEX "tasks_listed" ON "social"."tasks" USING btree ("id") WHERE "social"."tasks"."deleted_at_ms" is null;--> statement-breakpoint
CREATE INDEX "tasks_by_author" ON "social"."tasks" USING btree ("author_id","id");--> statement-breakpoint
CREATE INDEX "tasks_by_tag" ON "social"."tasks" USING gin ("tags");--> statement-breakpoint
CREATE UNIQUE INDEX "invitations_email_unique" ON "social"."invitations" USING btree ("email");--> statement-breakpoint
CREATE INDEX "votes_by_user" ON "social"."votes" USING btree ("user_id");
--> statement-breakpoint
ALTER TABLE "social"."tasks" ADD CONSTRAINT "tasks_author" FOREIGN KEY ("author_id") REFERENCES "social"."users"("id") ON DELETE SET NULL;
--> statement-breakpoint
ALTER TABLE "social"."votes" ADD CONSTRAINT "votes_task" FOREIGN KEY ("task_id") REFERENCES "social"."tasks"("id") ON DELETE CASCADE;
--> statement-breakpoint
ALTER TABLE "social"."votes" ADD CONSTRAINT "votes_user" FOREIGN KEY ("user_id") REFERENCES "social"."users"("id") ON DELETE CASCADE;
--> statement-breakpoint
ALTER TABLE "social"."second_factors" ADD CONSTRAINT "second_factors_user" FOREIGN KEY ("user_id") REFERENCES "social"."users"("id") ON DELETE CASCADE;
--> statement-breakpoint
ALTER TABLE "social"."recovery_codes" ADD CONSTRAINT "recovery_codes_user" FOREIGN KEY ("user_id") REFERENCES "social"."users"("id") ON DELETE CASCADE;
--> statement-breakpoint
ALTER TABLE "social"."reset_codes" ADD CONSTRAINT "reset_codes_user" FOREIGN KEY ("user_id") REFERENCES "social"."users"("id") ON DELETE CASCADE;
--> statement-breakpoint
ALTER TABLE "social"."invitations" ADD CONSTRAINT "invitations_inviter" FOREIGN KEY ("invited_by") REFERENCES "social"."users"("id") ON DELETE SET NULL;
--> statement-breakpoint
CREATE FUNCTION social.end_sessions() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE platform.sessions SET ended_at = now() WHERE user_id = OLD.id AND ended_at IS NULL;
  RETURN NULL;
END
$$;
--> statement-breakpoint
CREATE FUNCTION "social"."count_vote"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'INSERT' THEN
    UPDATE "social"."tasks" SET
      votes_for = votes_for - (OLD.vote_type = 'for')::int,
      votes_against = votes_against - (OLD.vote_type = 'against')::int
    WHERE id = OLD.task_id;
  END IF;
  IF TG_OP <> 'DELETE' THEN
    UPDATE "social"."tasks" SET
      votes_for = votes_for + (NEW.vote_type = 'for')::int,
      votes_against = votes_against + (NEW.vote_type = 'against')::int
    WHERE id = NEW.task_id;
  END IF;
  RETURN NULL;
END
$$;
--> statement-breakpoint
CREATE FUNCTION "social"."announce_task"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW IS DISTINCT FROM OLD THEN
    PERFORM pg_notify('shapecast_live', json_build_array(json_build_object('t', 'task', 'id', NEW.id))::text);
  END IF;
  RETURN NULL;
END
$$;
--> statement-breakpoint
CREATE TRIGGER users_deleted AFTER DELETE ON social.users
  FOR EACH ROW EXECUTE FUNCTION social.end_sessions();
--> statement-breakpoint
CREATE TRIGGER users_disabled AFTER UPDATE OF disabled_at ON social.users
  FOR EACH ROW WHEN (NEW.disabled_at IS NOT NULL) EXECUTE FUNCTION social.end_sessions();
--> statement-breakpoint
CREATE TRIGGER "votes_counted" AFTER INSERT OR UPDATE OF vote_type OR DELETE ON "social"."votes" FOR EACH ROW EXECUTE FUNCTION "social"."count_vote"();
--> statement-breakpoint
CREATE TRIGGER "tasks_announced" AFTER INSERT OR UPDATE ON "social"."tasks" FOR EACH ROW EXECUTE FUNCTION "social"."announce_task"();
