ALTER TABLE "trading"."account_equity" ADD COLUMN "is_virtual" boolean DEFAULT true NOT NULL;--> statement-breakpoint
UPDATE "trading"."account_equity" AS e SET "is_virtual" = false FROM "trading"."bots" AS b WHERE b."id" = e."bot_id" AND NOT b."is_virtual";
