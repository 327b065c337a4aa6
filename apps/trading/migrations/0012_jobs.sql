CREATE TABLE "trading"."jobs" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"kind" text NOT NULL,
	"key" text,
	"user_id" uuid,
	"joined" uuid[] DEFAULT '{}' NOT NULL,
	"visibility" text NOT NULL,
	"payload" jsonb NOT NULL,
	"status" text NOT NULL,
	"progress" jsonb NOT NULL,
	"result" jsonb,
	"error" text,
	"attempts" integer DEFAULT 0 NOT NULL,
	"turn" bigint DEFAULT 0 NOT NULL,
	"queue_id" uuid,
	"created_at_ms" bigint NOT NULL,
	"alive_at_ms" bigint NOT NULL,
	"finished_at_ms" bigint
);
--> statement-breakpoint
CREATE UNIQUE INDEX "jobs_one_open" ON "trading"."jobs" USING btree ("kind","key") WHERE "trading"."jobs"."status" in ('queued', 'running');--> statement-breakpoint
CREATE INDEX "jobs_by_key" ON "trading"."jobs" USING btree ("kind","key","created_at_ms" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "jobs_by_user" ON "trading"."jobs" USING btree ("user_id","kind","created_at_ms" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "jobs_by_turn" ON "trading"."jobs" USING btree ("kind","turn" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "jobs_failed" ON "trading"."jobs" USING btree ("finished_at_ms" DESC NULLS LAST) WHERE "trading"."jobs"."status" = 'failed';
--> statement-breakpoint
INSERT INTO "trading"."jobs" (id, kind, user_id, visibility, payload, status, progress, result, error, queue_id, created_at_ms, alive_at_ms, finished_at_ms)
SELECT id, 'backtest', user_id, 'askers', "order", status, json_build_object('current', progress_current, 'total', progress_total),
  CASE WHEN run_id IS NOT NULL THEN jsonb_build_object('runId', run_id) END, error, id, created_at_ms, created_at_ms, finished_at_ms
FROM "trading"."backtest_jobs";
--> statement-breakpoint
-- A job of the queue named a download by a key of its own: one that was open is queued again.
INSERT INTO "trading"."jobs" (id, kind, key, user_id, visibility, payload, status, progress, error, queue_id, created_at_ms, alive_at_ms, finished_at_ms)
SELECT id, 'download', concat_ws(' ', venue, symbol, timeframe, from_ms), user_id, 'managers',
  json_build_object('venue', venue, 'symbol', symbol, 'timeframe', timeframe, 'fromMs', from_ms, 'toMs', to_ms), status,
  json_build_object('current', least(greatest(resume_ms, from_ms), to_ms) - from_ms, 'total', to_ms - from_ms, 'resumeMs', resume_ms,
    'candles', candles),
  error, CASE WHEN user_id IS NOT NULL THEN id END, created_at_ms, created_at_ms,
  CASE WHEN status NOT IN ('queued', 'running') THEN coalesce(finished_at_ms, created_at_ms) END
FROM "trading"."downloads";
--> statement-breakpoint
DROP TABLE "trading"."backtest_jobs" CASCADE;
--> statement-breakpoint
DROP TABLE "trading"."downloads" CASCADE;
--> statement-breakpoint
DROP FUNCTION "trading"."announce_backtest"();
--> statement-breakpoint
DROP FUNCTION "trading"."announce_download"();
--> statement-breakpoint
CREATE FUNCTION "trading"."announce_job"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' AND NEW.status = OLD.status AND NEW.progress = OLD.progress THEN RETURN NULL; END IF;
  PERFORM pg_notify('shapecast_live', json_build_array(json_build_object(
    't', 'job', 'kind', NEW.kind, 'id', NEW.id, 'userId', NEW.user_id, 'joined', NEW.joined, 'visibility', NEW.visibility,
    'status', NEW.status, 'current', NEW.progress->'current', 'total', NEW.progress->'total'))::text);
  RETURN NULL;
END
$$;
--> statement-breakpoint
CREATE TRIGGER "jobs_announced" AFTER INSERT OR UPDATE ON "trading"."jobs" FOR EACH ROW EXECUTE FUNCTION "trading"."announce_job"();
