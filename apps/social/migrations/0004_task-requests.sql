ALTER TABLE "social"."tasks" ADD COLUMN "request_key" text;--> statement-breakpoint
ALTER TABLE "social"."tasks" ADD COLUMN "request_hash" text;--> statement-breakpoint
CREATE UNIQUE INDEX "tasks_by_request" ON "social"."tasks" USING btree ("author_id","request_key") WHERE "social"."tasks"."request_key" is not null;