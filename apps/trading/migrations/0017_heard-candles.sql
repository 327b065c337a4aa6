ALTER TABLE "trading"."candles" ADD COLUMN "heard_ms" bigint DEFAULT 0 NOT NULL;
--> statement-breakpoint
CREATE FUNCTION "trading"."announce_revision"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('shapecast_live', json_build_array(json_build_object(
    't', 'candle', 'venue', s.venue, 'symbol', s.symbol, 'timeframe', s.timeframe, 'closed', true,
    'row', json_build_array(NEW.ts, NEW.after[1], NEW.after[2], NEW.after[3], NEW.after[4], NEW.after[5])))::text)
  FROM "trading"."series" s WHERE s.id = NEW.series_id;
  RETURN NULL;
END
$$;
--> statement-breakpoint
CREATE TRIGGER "candle_revisions_announced" AFTER INSERT ON "trading"."candle_revisions" FOR EACH ROW EXECUTE FUNCTION "trading"."announce_revision"();
