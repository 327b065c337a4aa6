ALTER TABLE "trading"."sealed_head" ADD COLUMN "scores" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "trading"."sealed_head" ADD COLUMN "late" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
UPDATE "trading"."sealed_head" SET "scores" = (SELECT count(*) FROM "trading"."sealed_scores");
