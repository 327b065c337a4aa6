ALTER TABLE "social"."users" ADD COLUMN "folded_name_key" text;--> statement-breakpoint
CREATE INDEX "users_folded_name_key" ON "social"."users" USING btree ("folded_name_key");