CREATE FUNCTION "trading"."announce_training"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' AND NEW.status = OLD.status AND NEW.progress = OLD.progress THEN RETURN NULL; END IF;
  PERFORM pg_notify('shapecast_live', json_build_array(json_build_object(
    't', 'job', 'kind', 'training', 'id', NEW.id, 'userId', NEW.user_id, 'status', NEW.status,
    'current', NEW.progress->'current', 'total', NEW.progress->'total'))::text);
  RETURN NULL;
END
$$;
--> statement-breakpoint
CREATE TRIGGER "trainings_announced" AFTER INSERT OR UPDATE ON "trading"."trainings" FOR EACH ROW EXECUTE FUNCTION "trading"."announce_training"();
--> statement-breakpoint
CREATE FUNCTION "trading"."announce_backtest"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' AND NEW.status = OLD.status AND NEW.progress_current = OLD.progress_current
    AND NEW.progress_total = OLD.progress_total THEN RETURN NULL; END IF;
  PERFORM pg_notify('shapecast_live', json_build_array(json_build_object(
    't', 'job', 'kind', 'backtest', 'id', NEW.id, 'userId', NEW.user_id, 'status', NEW.status,
    'current', NEW.progress_current, 'total', NEW.progress_total))::text);
  RETURN NULL;
END
$$;
--> statement-breakpoint
CREATE TRIGGER "backtest_jobs_announced" AFTER INSERT OR UPDATE ON "trading"."backtest_jobs" FOR EACH ROW EXECUTE FUNCTION "trading"."announce_backtest"();
--> statement-breakpoint
CREATE FUNCTION "trading"."announce_download"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('shapecast_live', json_build_array(json_build_object(
    't', 'job', 'kind', 'download', 'id', NEW.id, 'userId', NEW.user_id, 'status', NEW.status,
    'current', least(greatest(NEW.resume_ms, NEW.from_ms), NEW.to_ms) - NEW.from_ms,
    'total', NEW.to_ms - NEW.from_ms))::text);
  RETURN NULL;
END
$$;
--> statement-breakpoint
CREATE TRIGGER "downloads_announced" AFTER INSERT OR UPDATE ON "trading"."downloads" FOR EACH ROW EXECUTE FUNCTION "trading"."announce_download"();
--> statement-breakpoint
CREATE FUNCTION "trading"."announce_bot"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  bot "trading"."bots"%ROWTYPE;
BEGIN
  IF TG_OP = 'DELETE' THEN bot := OLD; ELSE bot := NEW; END IF;
  IF bot.temporary THEN RETURN NULL; END IF;
  IF TG_OP = 'UPDATE' AND NEW IS NOT DISTINCT FROM OLD THEN RETURN NULL; END IF;
  PERFORM pg_notify('shapecast_live', json_build_array(json_build_object(
    't', 'bot', 'id', bot.id, 'userId', bot.user_id, 'venue', bot.venue, 'status', bot.status, 'name', bot.name,
    'change', CASE TG_OP WHEN 'INSERT' THEN 'created' WHEN 'UPDATE' THEN 'changed' ELSE 'removed' END,
    'public', bot.visibility = 'public',
    'wasPublic', TG_OP <> 'INSERT' AND OLD.visibility = 'public'))::text);
  RETURN NULL;
END
$$;
--> statement-breakpoint
CREATE TRIGGER "bots_announced" AFTER INSERT OR UPDATE OR DELETE ON "trading"."bots" FOR EACH ROW EXECUTE FUNCTION "trading"."announce_bot"();
