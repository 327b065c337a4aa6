CREATE FUNCTION platform.announce_notification() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('shapecast_live', json_build_array(json_build_object('t', 'notification', 'userId', NEW.user_id))::text);
  RETURN NULL;
END
$$;
--> statement-breakpoint
CREATE TRIGGER notifications_announced AFTER INSERT OR UPDATE ON platform.notifications FOR EACH ROW EXECUTE FUNCTION platform.announce_notification();
