CREATE FUNCTION "trading"."show_bot_activities"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE "platform"."activities" SET is_public = NEW.visibility = 'public', owner_id = NEW.user_id
  WHERE subject_id = NEW.id::text AND type = 'bot';
  RETURN NULL;
END
$$;
--> statement-breakpoint
CREATE TRIGGER "bots_activities_shown" AFTER UPDATE OF visibility ON "trading"."bots" FOR EACH ROW WHEN (NEW.visibility IS DISTINCT FROM OLD.visibility) EXECUTE FUNCTION "trading"."show_bot_activities"();
