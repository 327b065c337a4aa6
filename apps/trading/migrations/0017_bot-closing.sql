-- What a bot with real money keeps says no more whether what it holds is being sold: the column does, as for virtual bots.
UPDATE "trading"."bot_states" SET "closing" = coalesce(("real"->>'closing')::boolean, false), "real" = "real" - 'closing' WHERE "real" IS NOT NULL;
