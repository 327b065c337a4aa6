CREATE SCHEMA "social";
--> statement-breakpoint
CREATE TABLE "social"."password_attempts" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"email" text NOT NULL,
	"address" text NOT NULL,
	"at_ms" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "social"."users" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"username" text NOT NULL,
	"email" text NOT NULL,
	"role" text NOT NULL,
	"password_hash" text NOT NULL,
	"created_at_ms" bigint NOT NULL
);
--> statement-breakpoint
CREATE INDEX "password_attempts_by_account" ON "social"."password_attempts" USING btree ("email","address","at_ms");--> statement-breakpoint
CREATE UNIQUE INDEX "users_username_unique" ON "social"."users" USING btree (lower("username"));--> statement-breakpoint
CREATE UNIQUE INDEX "users_email_unique" ON "social"."users" USING btree ("email");