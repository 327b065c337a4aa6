CREATE TABLE "trading"."account_equity" (
	"account_id" uuid NOT NULL,
	"at_ms" bigint NOT NULL,
	"venue" text NOT NULL,
	"user_id" uuid NOT NULL,
	"bot_id" uuid,
	"equity" double precision NOT NULL,
	"closed_pnl" double precision NOT NULL,
	"open_pnl" double precision NOT NULL,
	"deposits" double precision NOT NULL,
	CONSTRAINT "account_equity_key" PRIMARY KEY("account_id","at_ms")
);
--> statement-breakpoint
CREATE INDEX "account_equity_of_users" ON "trading"."account_equity" USING btree ("user_id","at_ms");--> statement-breakpoint
CREATE INDEX "account_equity_by_time" ON "trading"."account_equity" USING btree ("venue","at_ms");