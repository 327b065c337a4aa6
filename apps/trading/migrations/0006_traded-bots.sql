-- The stream tells of a bot whose orders, and with them its positions and trades, have changed. PostgreSQL sends equal
-- notifications of a transaction once: a bot whose row changes with its orders is told of once.
CREATE FUNCTION "trading"."tell_bot"(bot "trading"."bots", change text, was_public boolean) RETURNS void LANGUAGE sql AS $$
  SELECT pg_notify('shapecast_live', json_build_array(json_build_object(
    't', 'bot', 'id', bot.id, 'userId', bot.user_id, 'venue', bot.venue, 'status', bot.status, 'name', bot.name,
    'change', change, 'public', bot.visibility = 'public', 'wasPublic', was_public))::text)
  WHERE NOT bot.temporary
$$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION "trading"."announce_bot"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN PERFORM "trading"."tell_bot"(NEW, 'created', false);
  ELSIF TG_OP = 'DELETE' THEN PERFORM "trading"."tell_bot"(OLD, 'removed', OLD.visibility = 'public');
  ELSIF NEW IS DISTINCT FROM OLD THEN PERFORM "trading"."tell_bot"(NEW, 'changed', OLD.visibility = 'public');
  END IF;
  RETURN NULL;
END
$$;
--> statement-breakpoint
CREATE FUNCTION "trading"."announce_new_orders"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM "trading"."tell_bot"(b, 'changed', b.visibility = 'public')
  FROM "trading"."bots" b
  WHERE b.id IN (
    SELECT a.owner_id FROM added o JOIN "trading"."accounts" a ON a.id = o.account_id WHERE a.owner_kind = 'bot');
  RETURN NULL;
END
$$;
--> statement-breakpoint
CREATE FUNCTION "trading"."announce_order"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM "trading"."tell_bot"(b, 'changed', b.visibility = 'public')
  FROM "trading"."accounts" a JOIN "trading"."bots" b ON b.id = a.owner_id
  WHERE a.id = NEW.account_id AND a.owner_kind = 'bot';
  RETURN NULL;
END
$$;
--> statement-breakpoint
CREATE TRIGGER "orders_announced" AFTER INSERT ON "trading"."orders" REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION "trading"."announce_new_orders"();
--> statement-breakpoint
-- A real order is looked up many times: only what people are shown of it is news, or that its bot has taken it in.
CREATE TRIGGER "orders_changes_announced" AFTER UPDATE ON "trading"."orders" FOR EACH ROW
WHEN ((OLD.status, OLD.filled, OLD.to_settle) IS DISTINCT FROM (NEW.status, NEW.filled, NEW.to_settle))
EXECUTE FUNCTION "trading"."announce_order"();
