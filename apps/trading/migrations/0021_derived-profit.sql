-- What people earned follows from their money, their deposit and what they hold; bots have done without the sum before.
DO $$
DECLARE
  wrong record;
BEGIN
  SELECT a.id, a.realised_pnl, a.balance + p.cost - e.deposit + a.fees AS derived INTO wrong FROM "trading"."accounts" a
  CROSS JOIN LATERAL (SELECT coalesce(sum(cost), 0) AS cost FROM "trading"."positions"
    WHERE account_id = a.id AND quantity <> 0) p
  CROSS JOIN LATERAL (SELECT coalesce(sum(amount), 0) AS deposit FROM "trading"."ledger_entries"
    WHERE account_id = a.id AND kind = 'deposit') e
  WHERE a.owner_kind = 'user' AND a.kind = 'virtual' AND a.realised_pnl <> a.balance + p.cost - e.deposit + a.fees LIMIT 1;
  IF FOUND THEN
    RAISE EXCEPTION 'Account %: by its entries it has earned %, and the profits of its trades come to %. Nothing was changed: start the version before, and report this.',
      wrong.id, wrong.derived, wrong.realised_pnl;
  END IF;
END $$;
--> statement-breakpoint
ALTER TABLE "trading"."accounts" DROP COLUMN "realised_pnl";
--> statement-breakpoint
ALTER FUNCTION "trading"."sum_profits" RENAME TO "sum_fees";
--> statement-breakpoint
CREATE OR REPLACE FUNCTION "trading"."sum_fees"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE "trading"."accounts" a SET fees = a.fees + s.fee
  FROM (SELECT account_id, sum(fee) AS fee FROM added GROUP BY account_id) s
  WHERE a.id = s.account_id;
  RETURN NULL;
END
$$;
