INSERT INTO "trading"."jobs" (id, kind, key, user_id, visibility, payload, status, progress, result, error, turn, queue_id, created_at_ms, alive_at_ms, finished_at_ms)
SELECT id, 'training', concat_ws(' ', version, venue, symbol, timeframe), user_id, 'askers', request, status, progress,
  CASE WHEN artifact_id IS NOT NULL THEN jsonb_build_object('artifactId', artifact_id) END, error, turn, id, created_at_ms, created_at_ms, finished_at_ms
FROM "trading"."trainings";
--> statement-breakpoint
-- What was asked for last, and the report of the one before where that has none of its own.
INSERT INTO "trading"."jobs" (id, kind, key, user_id, visibility, payload, status, progress, result, error, queue_id, created_at_ms, alive_at_ms, finished_at_ms)
SELECT job_id, 'importance', artifact_id::text, requested_by, 'askers', jsonb_build_object('artifactId', artifact_id), status,
  '{"current": 0, "total": 1}', CASE WHEN status = 'completed' THEN importance END, error, job_id, requested_at_ms, requested_at_ms, finished_at_ms
FROM "trading"."importances";
--> statement-breakpoint
INSERT INTO "trading"."jobs" (kind, key, user_id, visibility, payload, status, progress, result, created_at_ms, alive_at_ms, finished_at_ms)
SELECT 'importance', artifact_id::text, requested_by, 'askers', jsonb_build_object('artifactId', artifact_id), 'completed',
  '{"current": 1, "total": 1}', importance, requested_at_ms - 1, requested_at_ms - 1, requested_at_ms - 1
FROM "trading"."importances" WHERE status <> 'completed' AND importance IS NOT NULL;
--> statement-breakpoint
ALTER TABLE "trading"."training_checkpoints" DROP CONSTRAINT "training_checkpoints_training_id_trainings_id_fk";
--> statement-breakpoint
DROP TABLE "trading"."importances" CASCADE;
--> statement-breakpoint
DROP TABLE "trading"."trainings" CASCADE;
--> statement-breakpoint
DROP FUNCTION "trading"."announce_training"();
--> statement-breakpoint
ALTER TABLE "trading"."training_checkpoints" ADD CONSTRAINT "training_checkpoints_training_id_jobs_id_fk" FOREIGN KEY ("training_id") REFERENCES "trading"."jobs"("id") ON DELETE cascade ON UPDATE no action;
