ALTER TABLE "trading"."artifacts" ADD COLUMN "origin" text DEFAULT 'trained' NOT NULL;--> statement-breakpoint
ALTER TABLE "trading"."artifacts" ADD COLUMN "uploaded_by" uuid;--> statement-breakpoint
CREATE INDEX "artifacts_by_uploader" ON "trading"."artifacts" USING btree ("uploaded_by","created_at_ms" DESC NULLS LAST) WHERE "trading"."artifacts"."uploaded_by" is not null;