ALTER TABLE "trading"."orders" ADD COLUMN "ours" numeric(38, 8);--> statement-breakpoint
ALTER TABLE "trading"."orders" ADD COLUMN "moved" numeric(38, 8) DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "trading"."positions" ADD COLUMN "key_mark" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "trading"."positions" DROP CONSTRAINT "positions_key";
--> statement-breakpoint
ALTER TABLE "trading"."positions" ADD CONSTRAINT "positions_key" PRIMARY KEY("account_id","symbol","key_mark");--> statement-breakpoint
-- What people hold of what they bought with real orders was worked out from all of them at each look: once more, for good.
DO $$
DECLARE
  of record;
  o record;
  opened bigint;
  held numeric;
  has numeric;
  cost numeric;
  free numeric;
  sold numeric;
  part numeric;
  pending numeric;
BEGIN
  CREATE TEMP TABLE kept (coins numeric, until_ms bigint) ON COMMIT DROP;
  FOR of IN
    SELECT DISTINCT r.account_id, r.key_mark, r.symbol FROM "trading"."orders" r
    JOIN "trading"."accounts" a ON a.id = r.account_id
    WHERE a.owner_kind = 'user' AND a.kind = 'real' AND r.key_mark IS NOT NULL
  LOOP
    TRUNCATE kept;
    opened := 0; held := 0; has := 0; cost := 0; pending := 0;
    FOR o IN
      SELECT r.id, r.side, r.source, r.quantity, r.filled, r.created_at_ms, r.closed_at_ms, f.* FROM "trading"."orders" r
      CROSS JOIN LATERAL (
        SELECT coalesce(sum(t.quantity), 0) AS booked, coalesce(sum(t.quantity - t.coins), 0) AS brought,
          coalesce(sum(round((t.quantity - t.coins) * t.price::numeric, 8)), 0) AS paid
        FROM (SELECT quantity, price, (SELECT coalesce(sum(round((charge->>'amount')::numeric, 8)), 0)
            FROM jsonb_array_elements(coalesce(fees, '[]')) charge WHERE (charge->>'asset') || 'USDT' = r.symbol) AS coins
          FROM "trading"."fills" WHERE order_id = r.id) t) f
      WHERE r.account_id = of.account_id AND r.key_mark = of.key_mark AND r.symbol = of.symbol ORDER BY r.seq
    LOOP
      IF o.side = 'buy' THEN
        IF has = 0 THEN opened := o.created_at_ms; END IF;
        held := held + o.brought; has := has + o.brought; cost := cost + o.paid;
        UPDATE "trading"."orders" SET moved = o.brought WHERE id = o.id;
        CONTINUE;
      END IF;
      free := held;
      IF o.source = 'user' THEN
        free := free - (SELECT coalesce(sum(coins), 0) FROM kept WHERE until_ms > o.created_at_ms);
      END IF;
      free := greatest(least(o.quantity, free), 0);
      sold := least(CASE WHEN o.closed_at_ms IS NULL THEN o.quantity ELSE o.filled END, free);
      held := held - sold;
      IF o.closed_at_ms IS NOT NULL THEN INSERT INTO kept VALUES (free - sold, o.closed_at_ms); END IF;
      part := least(o.booked, free);
      pending := pending + greatest(sold - part, 0);
      IF part > 0 THEN cost := cost - trunc(cost * part / has, 8); END IF;
      has := has - part;
      UPDATE "trading"."orders" SET ours = free, moved = part WHERE id = o.id;
    END LOOP;
    IF has < 0 OR cost < 0 OR greatest(has - pending, 0) <> greatest(held, 0) THEN
      RAISE EXCEPTION 'Account %, %: its orders leave % held, and its position would be % of which % are being sold. Nothing was changed: start the version before, and report this.',
        of.account_id, of.symbol, held, has, pending;
    END IF;
    IF opened > 0 THEN
      INSERT INTO "trading"."positions" (account_id, symbol, key_mark, quantity, cost, opened_at_ms)
      VALUES (of.account_id, of.symbol, of.key_mark, has, cost, opened);
    END IF;
  END LOOP;
  DROP TABLE kept;
END $$;
