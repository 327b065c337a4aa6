ALTER TABLE "social"."users" ADD COLUMN "disabled_at" timestamp with time zone;
--> statement-breakpoint
CREATE FUNCTION social.end_sessions() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE platform.sessions SET ended_at = now() WHERE user_id = OLD.id AND ended_at IS NULL;
  RETURN NULL;
END
$$;
--> statement-breakpoint
CREATE TRIGGER users_deleted AFTER DELETE ON social.users
  FOR EACH ROW EXECUTE FUNCTION social.end_sessions();
--> statement-breakpoint
CREATE TRIGGER users_disabled AFTER UPDATE OF disabled_at ON social.users
  FOR EACH ROW WHEN (NEW.disabled_at IS NOT NULL) EXECUTE FUNCTION social.end_sessions();
