ALTER TABLE "trading"."bot_decisions" ADD COLUMN "candle" double precision[];--> statement-breakpoint
ALTER TABLE "trading"."bot_decisions" ADD COLUMN "late_from_ts" bigint;--> statement-breakpoint
ALTER TABLE "trading"."bot_states" ADD COLUMN "waited_ts" bigint;