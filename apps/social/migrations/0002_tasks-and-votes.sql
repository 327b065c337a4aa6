CREATE TABLE "social"."tasks" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
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
CREATE INDEX "tasks_listed" ON "social"."tasks" USING btree ("id") WHERE "social"."tasks"."deleted_at_ms" is null;--> statement-breakpoint
CREATE INDEX "tasks_by_author" ON "social"."tasks" USING btree ("author_id","id");--> statement-breakpoint
CREATE INDEX "tasks_by_tag" ON "social"."tasks" USING gin ("tags");--> statement-breakpoint
CREATE INDEX "votes_by_user" ON "social"."votes" USING btree ("user_id");