CREATE TABLE "trading"."alerts" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"user_id" uuid NOT NULL,
	"venue" text NOT NULL,
	"rule" jsonb NOT NULL,
	"note" text NOT NULL,
	"rest_minutes" integer NOT NULL,
	"is_on" boolean NOT NULL,
	"last_value" double precision,
	"looked_ts" bigint,
	"rang_at_ms" bigint,
	"times_rung" integer DEFAULT 0 NOT NULL,
	"created_at_ms" bigint NOT NULL,
	"deleted_at_ms" bigint
);
--> statement-breakpoint
CREATE INDEX "alerts_by_user" ON "trading"."alerts" USING btree ("user_id","id");