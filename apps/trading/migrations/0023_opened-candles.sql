CREATE TABLE "trading"."opened_candles" (
	"user_id" uuid NOT NULL,
	"venue" text NOT NULL,
	"symbol" text NOT NULL,
	"timeframe" text NOT NULL,
	"from_ms" bigint NOT NULL,
	"to_ms" bigint NOT NULL,
	"opened_at_ms" bigint NOT NULL,
	CONSTRAINT "opened_candles_key" PRIMARY KEY("user_id","venue","symbol","timeframe","from_ms","to_ms")
);
--> statement-breakpoint
INSERT INTO "trading"."opened_candles"
SELECT user_id, venue, coalesce(pair.symbol, r.symbol), timeframe,
  (summary->>'startTime')::numeric::bigint, (summary->>'endTime')::numeric::bigint, created_at_ms
FROM "trading"."backtest_runs" r
LEFT JOIN LATERAL jsonb_array_elements_text(summary->'symbols') AS pair(symbol) ON true
WHERE user_id IS NOT NULL
ORDER BY created_at_ms
ON CONFLICT DO NOTHING;
