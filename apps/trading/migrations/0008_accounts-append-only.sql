CREATE TRIGGER "ledger_entries_append_only" BEFORE UPDATE OR DELETE OR TRUNCATE ON "trading"."ledger_entries" FOR EACH STATEMENT EXECUTE FUNCTION "trading"."refuse_change"();
--> statement-breakpoint
CREATE TRIGGER "account_fills_append_only" BEFORE UPDATE OR DELETE OR TRUNCATE ON "trading"."account_fills" FOR EACH STATEMENT EXECUTE FUNCTION "trading"."refuse_change"();
--> statement-breakpoint
CREATE TRIGGER "auto_trade_decisions_append_only" BEFORE UPDATE OR DELETE OR TRUNCATE ON "trading"."auto_trade_decisions" FOR EACH STATEMENT EXECUTE FUNCTION "trading"."refuse_change"();
--> statement-breakpoint
CREATE TRIGGER "keyed_replies_append_only" BEFORE UPDATE OR DELETE OR TRUNCATE ON "trading"."keyed_replies" FOR EACH STATEMENT EXECUTE FUNCTION "trading"."refuse_change"();
