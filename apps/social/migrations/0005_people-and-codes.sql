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
CREATE TABLE "social"."invitations" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
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
ALTER TABLE "social"."users" ADD COLUMN "name_key" text;--> statement-breakpoint
ALTER TABLE "social"."users" ADD COLUMN "password_changed_at_ms" bigint;--> statement-breakpoint
ALTER TABLE "social"."users" ADD COLUMN "deletes_at_ms" bigint;--> statement-breakpoint
CREATE UNIQUE INDEX "recovery_codes_of_user" ON "social"."recovery_codes" USING btree ("user_id","code_hash");--> statement-breakpoint
CREATE UNIQUE INDEX "invitations_email_unique" ON "social"."invitations" USING btree ("email");--> statement-breakpoint
CREATE UNIQUE INDEX "users_name_key_unique" ON "social"."users" USING btree ("name_key");