DROP INDEX "social"."password_attempts_by_account";--> statement-breakpoint
CREATE INDEX "password_attempts_by_address" ON "social"."password_attempts" USING btree ("address","at_ms");