ALTER TABLE "social"."tasks" ADD CONSTRAINT "tasks_author" FOREIGN KEY ("author_id") REFERENCES "social"."users"("id") ON DELETE SET NULL;
--> statement-breakpoint
ALTER TABLE "social"."votes" ADD CONSTRAINT "votes_task" FOREIGN KEY ("task_id") REFERENCES "social"."tasks"("id") ON DELETE CASCADE;
--> statement-breakpoint
ALTER TABLE "social"."votes" ADD CONSTRAINT "votes_user" FOREIGN KEY ("user_id") REFERENCES "social"."users"("id") ON DELETE CASCADE;
--> statement-breakpoint
CREATE FUNCTION "social"."count_vote"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'INSERT' THEN
    UPDATE "social"."tasks" SET
      votes_for = votes_for - (OLD.vote_type = 'for')::int,
      votes_against = votes_against - (OLD.vote_type = 'against')::int
    WHERE id = OLD.task_id;
  END IF;
  IF TG_OP <> 'DELETE' THEN
    UPDATE "social"."tasks" SET
      votes_for = votes_for + (NEW.vote_type = 'for')::int,
      votes_against = votes_against + (NEW.vote_type = 'against')::int
    WHERE id = NEW.task_id;
  END IF;
  RETURN NULL;
END
$$;
--> statement-breakpoint
CREATE TRIGGER "votes_counted" AFTER INSERT OR UPDATE OF vote_type OR DELETE ON "social"."votes" FOR EACH ROW EXECUTE FUNCTION "social"."count_vote"();
--> statement-breakpoint
CREATE FUNCTION "social"."announce_task"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW IS DISTINCT FROM OLD THEN
    PERFORM pg_notify('shapecast_live', json_build_array(json_build_object('t', 'task', 'id', NEW.id))::text);
  END IF;
  RETURN NULL;
END
$$;
--> statement-breakpoint
CREATE TRIGGER "tasks_announced" AFTER INSERT OR UPDATE ON "social"."tasks" FOR EACH ROW EXECUTE FUNCTION "social"."announce_task"();
