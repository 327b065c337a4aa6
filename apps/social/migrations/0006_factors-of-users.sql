ALTER TABLE "social"."second_factors" ADD CONSTRAINT "second_factors_user" FOREIGN KEY ("user_id") REFERENCES "social"."users"("id") ON DELETE CASCADE;
--> statement-breakpoint
ALTER TABLE "social"."recovery_codes" ADD CONSTRAINT "recovery_codes_user" FOREIGN KEY ("user_id") REFERENCES "social"."users"("id") ON DELETE CASCADE;
--> statement-breakpoint
ALTER TABLE "social"."reset_codes" ADD CONSTRAINT "reset_codes_user" FOREIGN KEY ("user_id") REFERENCES "social"."users"("id") ON DELETE CASCADE;
--> statement-breakpoint
ALTER TABLE "social"."invitations" ADD CONSTRAINT "invitations_inviter" FOREIGN KEY ("invited_by") REFERENCES "social"."users"("id") ON DELETE SET NULL;
