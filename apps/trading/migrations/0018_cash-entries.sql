-- The entry of a bot's trade was its profit, that of a person's was money. From here on all are money, each of its asset.
DO $$
BEGIN
  IF EXISTS (SELECT FROM "trading"."ledger_entries") THEN
    CREATE SCHEMA "backup_cash_entries";
    CREATE TABLE "backup_cash_entries"."accounts" AS TABLE "trading"."accounts";
    CREATE TABLE "backup_cash_entries"."ledger_entries" AS TABLE "trading"."ledger_entries";
  END IF;
END $$;
--> statement-breakpoint
ALTER TABLE "trading"."ledger_entries" DROP CONSTRAINT "ledger_entries_once";--> statement-breakpoint
ALTER TABLE "trading"."ledger_entries" ADD COLUMN "asset" text DEFAULT 'USDT' NOT NULL;--> statement-breakpoint
ALTER TABLE "trading"."ledger_entries" ADD CONSTRAINT "ledger_entries_once" UNIQUE("fill_id","kind","asset");
--> statement-breakpoint
ALTER TABLE "trading"."ledger_entries" DISABLE TRIGGER "ledger_entries_append_only";
--> statement-breakpoint
ALTER TABLE "trading"."ledger_entries" DISABLE TRIGGER "ledger_entries_summed";
--> statement-breakpoint
DO $$
DECLARE
  wrong record;
  missing numeric;
BEGIN
  SELECT a.id, a.balance, coalesce(sum(e.amount), 0) AS entries INTO wrong FROM "trading"."accounts" a
  LEFT JOIN "trading"."ledger_entries" e ON e.account_id = a.id
  GROUP BY a.id HAVING a.balance <> coalesce(sum(e.amount), 0) LIMIT 1;
  IF FOUND THEN
    RAISE EXCEPTION 'Account %: its entries come to %, and its balance is %. Nothing was changed: start the version before, and report this.',
      wrong.id, wrong.entries, wrong.balance;
  END IF;

  CREATE TEMP TABLE filled ON COMMIT DROP AS
  SELECT f.id, f.account_id, f.at_ms, f.quantity, f.price::numeric AS price, f.notional, f.fee, o.side, o.symbol, f.fees,
    a.owner_kind = 'bot' AS is_bot, a.kind = 'virtual' AS is_virtual, f.exit_reason = 'liquidation' AS is_liquidation,
    CASE WHEN a.owner_kind = 'bot' AND a.kind = 'virtual' THEN b.market_type ELSE a.market END AS market
  FROM "trading"."fills" f JOIN "trading"."orders" o ON o.id = f.order_id
  JOIN "trading"."accounts" a ON a.id = f.account_id
  LEFT JOIN "trading"."bots" b ON a.owner_kind = 'bot' AND b.id = a.owner_id;
  CREATE UNIQUE INDEX ON filled (id);
  ANALYZE filled;

  UPDATE "trading"."ledger_entries" e SET kind = 'liquidation' WHERE kind = 'fee' AND (venue_id IS NOT NULL
    OR EXISTS (SELECT FROM filled f WHERE f.id = e.fill_id AND f.is_virtual AND f.is_liquidation));

  UPDATE "trading"."ledger_entries" e
  SET kind = CASE WHEN f.market = 'futures' THEN 'settlement' WHEN f.side = 'buy' THEN 'purchase' ELSE 'sale' END,
    amount = CASE WHEN f.is_bot AND f.market = 'spot' THEN f.notional ELSE e.amount END
  FROM filled f WHERE f.id = e.fill_id AND e.kind = 'trade';

  -- Coins that trades took as fees. A bot has none but those of its market: others were charged at their worth.
  CREATE TEMP TABLE coins ON COMMIT DROP AS
  SELECT f.id, f.account_id, f.at_ms, f.is_bot, f.fee, c.asset, sum(round(c.amount, 8)) AS amount,
    sum(round(c.amount * f.price, 8)) AS worth, f.fee = 0 OR count(*) = jsonb_array_length(f.fees) AS is_all
  FROM filled f CROSS JOIN LATERAL jsonb_to_recordset(f.fees) AS c(asset text, amount numeric)
  WHERE CASE WHEN f.is_bot THEN f.market = 'spot' AND f.side = 'buy' AND c.asset || 'USDT' = f.symbol
    ELSE NOT f.is_virtual AND c.asset <> 'USDT' END
  GROUP BY f.id, f.account_id, f.at_ms, f.is_bot, f.fee, f.fees, c.asset HAVING sum(round(c.amount, 8)) <> 0;
  UPDATE coins SET worth = fee WHERE is_all;
  INSERT INTO "trading"."ledger_entries" (account_id, kind, asset, amount, fill_id, at_ms)
  SELECT account_id, 'fee', asset, -amount, id, at_ms FROM coins;
  UPDATE "trading"."ledger_entries" e SET amount = e.amount + c.worth FROM coins c
  WHERE c.is_bot AND e.fill_id = c.id AND e.kind = 'fee' AND e.asset = 'USDT';

  INSERT INTO "trading"."ledger_entries" (id, account_id, kind, amount, fill_id, at_ms)
  SELECT f.id, f.account_id, 'purchase',
    CASE WHEN c.id IS NULL THEN -f.notional ELSE -round((f.quantity - c.amount) * f.price, 8) - c.worth END, f.id, f.at_ms
  FROM filled f LEFT JOIN coins c ON c.id = f.id AND c.is_bot
  WHERE f.is_bot AND f.market = 'spot' AND f.side = 'buy';

  -- Of a sale with real money beyond what the bot held, the rest was never its own: the walk of what it held stops at 0.
  WITH walk AS (
    SELECT f.id, f.at_ms, f.account_id, f.symbol, sum(CASE f.side WHEN 'buy' THEN f.quantity - coalesce(c.amount, 0)
      ELSE -f.quantity END) OVER (PARTITION BY f.account_id, f.symbol ORDER BY f.at_ms, f.id) AS held
    FROM filled f LEFT JOIN coins c ON c.id = f.id WHERE f.is_bot AND NOT f.is_virtual AND f.market = 'spot'
  ), low AS (
    SELECT id, at_ms, account_id, symbol, least(0, min(held) OVER (PARTITION BY account_id, symbol ORDER BY at_ms, id)) AS low FROM walk
  ), beyond AS (
    SELECT id, coalesce(lag(low) OVER (PARTITION BY account_id, symbol ORDER BY at_ms, id), 0) - low AS quantity FROM low
  )
  UPDATE "trading"."ledger_entries" e SET amount = round((f.quantity - b.quantity) * f.price, 8)
  FROM beyond b JOIN filled f ON f.id = b.id WHERE b.quantity > 0 AND e.fill_id = f.id AND e.kind = 'sale';

  DELETE FROM "trading"."ledger_entries" e USING filled f WHERE f.id = e.fill_id AND e.amount = 0;
  SELECT e.account_id AS id, e.kind INTO wrong FROM "trading"."ledger_entries" e WHERE e.kind = 'trade' LIMIT 1;
  IF FOUND THEN
    RAISE EXCEPTION 'Account % has an entry of a trade that no fill belongs to. Nothing was changed: start the version before, and report this.', wrong.id;
  END IF;

  -- With what it holds at cost an account has what it had. Rounding of the costs of parts goes with the newest trade.
  FOR wrong IN
    SELECT a.id, a.owner_kind, a.balance, b.id IS NULL AS is_deleted, e.cash, p.cost, t.trades, t.most, p.dust,
      CASE WHEN a.kind = 'virtual' AND a.owner_kind = 'bot' THEN b.market_type ELSE a.market END AS market
    FROM "trading"."accounts" a LEFT JOIN "trading"."bots" b ON a.owner_kind = 'bot' AND b.id = a.owner_id
    CROSS JOIN LATERAL (SELECT coalesce(sum(amount), 0) AS cash FROM "trading"."ledger_entries"
      WHERE account_id = a.id AND asset = 'USDT') e
    CROSS JOIN LATERAL (SELECT coalesce(sum(cost) FILTER (WHERE quantity <> 0), 0) AS cost,
      coalesce(sum(cost) FILTER (WHERE quantity = 0), 0) AS dust FROM "trading"."positions" WHERE account_id = a.id) p
    CROSS JOIN LATERAL (SELECT count(*) AS trades, coalesce(max(notional), 0) AS most FROM filled WHERE account_id = a.id) t
  LOOP
    -- What a deleted bot held is not known any more.
    CONTINUE WHEN wrong.owner_kind = 'bot' AND wrong.is_deleted;
    missing := wrong.balance - wrong.cash;
    IF wrong.owner_kind = 'bot' AND wrong.market = 'spot' THEN missing := missing - wrong.cost; END IF;
    CONTINUE WHEN missing = 0;
    IF wrong.owner_kind = 'user' OR wrong.market = 'futures'
      OR abs(missing) > wrong.dust + wrong.trades * (0.00000003 + greatest(wrong.most, abs(wrong.balance)) * 2e-15) THEN
      RAISE EXCEPTION 'Account %: with what it holds at cost its entries would come to %, and it has %. Nothing was changed: start the version before, and report this.',
        wrong.id, wrong.balance - missing, wrong.balance;
    END IF;
    UPDATE "trading"."ledger_entries" SET amount = amount + missing WHERE id = (
      SELECT id FROM "trading"."ledger_entries" WHERE account_id = wrong.id AND kind IN ('purchase', 'sale')
      ORDER BY at_ms DESC, id DESC LIMIT 1);
  END LOOP;
  UPDATE "trading"."accounts" a SET balance = e.cash FROM (SELECT account_id, sum(amount) AS cash
    FROM "trading"."ledger_entries" WHERE asset = 'USDT' GROUP BY account_id) e
  WHERE e.account_id = a.id AND a.balance <> e.cash;
  DROP TABLE coins;
  DROP TABLE filled;
END $$;
--> statement-breakpoint
ALTER TABLE "trading"."ledger_entries" ENABLE TRIGGER "ledger_entries_append_only";
--> statement-breakpoint
ALTER TABLE "trading"."ledger_entries" ENABLE TRIGGER "ledger_entries_summed";
--> statement-breakpoint
CREATE OR REPLACE FUNCTION "trading"."sum_ledger"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE "trading"."accounts" a SET balance = a.balance + s.amount, fees = a.fees + s.fees
  FROM (SELECT account_id, coalesce(sum(amount) FILTER (WHERE asset = 'USDT'), 0) AS amount,
      coalesce(-sum(amount) FILTER (WHERE kind IN ('fee', 'liquidation') AND fill_id IS NULL), 0) AS fees
    FROM added GROUP BY account_id) s
  WHERE a.id = s.account_id;
  RETURN NULL;
END
$$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION "trading"."sum_profits"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE "trading"."accounts" a SET realised_pnl = a.realised_pnl + s.pnl, fees = a.fees + s.fee
  FROM (SELECT account_id, coalesce(sum(pnl), 0) AS pnl, sum(fee) AS fee FROM added GROUP BY account_id) s
  WHERE a.id = s.account_id;
  RETURN NULL;
END
$$;
