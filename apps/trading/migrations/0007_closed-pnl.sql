ALTER TABLE "trading"."bots" ADD COLUMN "closed_pnl" double precision DEFAULT 0 NOT NULL;
--> statement-breakpoint
UPDATE "trading"."bots" SET "closed_pnl" = "sums"."made" FROM (SELECT "bot_id", sum("net_pnl") AS "made" FROM "trading"."bot_trades" GROUP BY "bot_id") "sums" WHERE "sums"."bot_id" = "trading"."bots"."id";
