UPDATE "trading"."artifacts" SET "active" = true WHERE "id" IN (
  SELECT DISTINCT ON ("version", "venue", "symbol", "timeframe") "id" FROM "trading"."artifacts"
  ORDER BY "version", "venue", "symbol", "timeframe", "created_at_ms" DESC, "id" DESC
);
--> statement-breakpoint
INSERT INTO "trading"."sealed_head" ("id", "rows", "hash") VALUES (1, 0, repeat('0', 64));
--> statement-breakpoint
CREATE TRIGGER "sealed_predictions_append_only" BEFORE UPDATE OR DELETE OR TRUNCATE ON "trading"."sealed_predictions" FOR EACH STATEMENT EXECUTE FUNCTION "trading"."refuse_change"();
--> statement-breakpoint
CREATE TRIGGER "sealed_scores_append_only" BEFORE UPDATE OR DELETE OR TRUNCATE ON "trading"."sealed_scores" FOR EACH STATEMENT EXECUTE FUNCTION "trading"."refuse_change"();
