ALTER TABLE "trading"."bot_states" ADD COLUMN "closing" boolean DEFAULT false NOT NULL;--> statement-breakpoint
-- Until now a stopped bot always sold what it held.
UPDATE "trading"."bot_states" SET "closing" = true FROM "trading"."bots" WHERE "bots"."id" = "bot_states"."bot_id" AND "bots"."status" = 'stopped' AND "bots"."is_virtual";
