CREATE TABLE "trading"."examinations" (
	"artifact_id" uuid PRIMARY KEY NOT NULL,
	"status" text NOT NULL,
	"job_id" uuid NOT NULL,
	"requested_by" uuid,
	"verdict" text DEFAULT 'unknown' NOT NULL,
	"audit" jsonb,
	"importance" jsonb,
	"error" text,
	"requested_at_ms" bigint NOT NULL,
	"examined_at_ms" bigint,
	"finished_at_ms" bigint
);
--> statement-breakpoint
ALTER TABLE "trading"."artifacts" ADD COLUMN "leak" text;--> statement-breakpoint
CREATE INDEX "examinations_unfinished" ON "trading"."examinations" USING btree ("requested_by") WHERE "trading"."examinations"."status" in ('queued', 'running');--> statement-breakpoint
CREATE INDEX "artifacts_unexamined" ON "trading"."artifacts" USING btree ("venue","created_at_ms" DESC NULLS LAST) WHERE "trading"."artifacts"."leak" is null;