ALTER TABLE "trading"."jobs" ADD COLUMN "title" text DEFAULT '' NOT NULL;--> statement-breakpoint
UPDATE "trading"."jobs" SET title = concat_ws(' ', coalesce(payload->>'version', payload->'bot'->>'name'), payload->>'symbol', payload->>'timeframe');
