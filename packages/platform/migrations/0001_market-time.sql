ALTER TABLE "platform"."activities" ADD COLUMN "market_at_ms" bigint;--> statement-breakpoint
ALTER TABLE "platform"."notifications" ADD COLUMN "market_at_ms" bigint;