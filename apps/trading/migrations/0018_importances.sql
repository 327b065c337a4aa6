ALTER TABLE "trading"."examinations" DISABLE ROW LEVEL SECURITY;--> statement-breakpoint
DROP TABLE "trading"."examinations" CASCADE;--> statement-breakpoint
DROP INDEX "trading"."artifacts_unexamined";--> statement-breakpoint
ALTER TABLE "trading"."artifacts" DROP COLUMN "leak";--> statement-breakpoint
CREATE TABLE "trading"."importances" (
	"artifact_id" uuid PRIMARY KEY NOT NULL,
	"status" text NOT NULL,
	"job_id" uuid NOT NULL,
	"requested_by" uuid NOT NULL,
	"importance" jsonb,
	"error" text,
	"requested_at_ms" bigint NOT NULL,
	"finished_at_ms" bigint
);
--> statement-breakpoint
CREATE INDEX "importances_unfinished" ON "trading"."importances" USING btree ("requested_by") WHERE "trading"."importances"."status" in ('queued', 'running');--> statement-breakpoint
ALTER TABLE "trading"."importances" ADD CONSTRAINT "importances_of_artifact" FOREIGN KEY ("artifact_id") REFERENCES "trading"."artifacts"("id") ON DELETE CASCADE;