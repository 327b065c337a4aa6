-- What the activity feed shows of a backtest follows its bot, and goes with the run that it leads to.
CREATE OR REPLACE FUNCTION "trading"."show_bot_activities"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE "platform"."activities" SET is_public = NEW.visibility = 'public', owner_id = NEW.user_id
  WHERE subject_id = NEW.id::text AND type = 'bot';
  UPDATE "platform"."activities" SET is_public = NEW.visibility = 'public'
  WHERE type = 'backtest' AND subject_id IN (SELECT id::text FROM "trading"."backtest_runs" WHERE bot_id = NEW.id);
  RETURN NULL;
END
$$;
--> statement-breakpoint
CREATE FUNCTION "trading"."hide_run_activities"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE "platform"."activities" SET is_public = false
  WHERE type = 'backtest' AND subject_id IN (SELECT id::text FROM "trading"."backtest_runs" WHERE bot_id = OLD.id);
  RETURN NULL;
END
$$;
--> statement-breakpoint
CREATE FUNCTION "trading"."forget_run_activities"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM "platform"."activities" WHERE type = 'backtest' AND subject_id = OLD.id::text;
  RETURN NULL;
END
$$;
--> statement-breakpoint
CREATE TRIGGER "bots_runs_hidden" AFTER DELETE ON "trading"."bots" FOR EACH ROW WHEN (OLD.visibility = 'public') EXECUTE FUNCTION "trading"."hide_run_activities"();
--> statement-breakpoint
CREATE TRIGGER "backtest_runs_forgotten" AFTER DELETE ON "trading"."backtest_runs" FOR EACH ROW EXECUTE FUNCTION "trading"."forget_run_activities"();
