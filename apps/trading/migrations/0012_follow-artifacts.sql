ALTER TABLE "trading"."drift_states" ADD COLUMN "features_drift" boolean;--> statement-breakpoint
-- What is worked out of an artifact goes with it, whoever was about to write more of it.
DELETE FROM "trading"."drift_states" d WHERE NOT EXISTS (SELECT FROM "trading"."artifacts" a WHERE a.id = d.artifact_id);--> statement-breakpoint
DELETE FROM "trading"."examinations" e WHERE NOT EXISTS (SELECT FROM "trading"."artifacts" a WHERE a.id = e.artifact_id);--> statement-breakpoint
DELETE FROM "trading"."predictions" p WHERE NOT EXISTS (SELECT FROM "trading"."artifacts" a WHERE a.id = p.artifact_id);--> statement-breakpoint
ALTER TABLE "trading"."drift_states" ADD CONSTRAINT "drift_states_of_artifact" FOREIGN KEY ("artifact_id") REFERENCES "trading"."artifacts"("id") ON DELETE CASCADE;--> statement-breakpoint
ALTER TABLE "trading"."examinations" ADD CONSTRAINT "examinations_of_artifact" FOREIGN KEY ("artifact_id") REFERENCES "trading"."artifacts"("id") ON DELETE CASCADE;--> statement-breakpoint
ALTER TABLE "trading"."predictions" ADD CONSTRAINT "predictions_of_artifact" FOREIGN KEY ("artifact_id") REFERENCES "trading"."artifacts"("id") ON DELETE CASCADE;
