CREATE FUNCTION "trading"."refuse_change"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'the table % is append-only', TG_TABLE_NAME;
END
$$;
--> statement-breakpoint
CREATE TRIGGER "ledger_append_only" BEFORE UPDATE ON "trading"."ledger" FOR EACH ROW EXECUTE FUNCTION "trading"."refuse_change"();
