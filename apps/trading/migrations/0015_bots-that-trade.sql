CREATE TABLE "trading"."bot_decisions" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"bot_id" uuid NOT NULL,
	"symbol" text NOT NULL,
	"candle_ts" bigint NOT NULL,
	"votes" jsonb NOT NULL,
	"rule" text NOT NULL,
	"signal" text NOT NULL,
	"action" text NOT NULL,
	"reason" text NOT NULL,
	"target" double precision,
	"order_id" uuid,
	"decided_at_ms" bigint NOT NULL,
	CONSTRAINT "bot_decisions_once" UNIQUE("bot_id","candle_ts","symbol")
);
--> statement-breakpoint
CREATE TABLE "trading"."bot_equity" (
	"bot_id" uuid NOT NULL,
	"at_ms" bigint NOT NULL,
	"equity" double precision NOT NULL,
	CONSTRAINT "bot_equity_key" PRIMARY KEY("bot_id","at_ms")
);
--> statement-breakpoint
CREATE TABLE "trading"."bot_states" (
	"bot_id" uuid PRIMARY KEY NOT NULL,
	"decided_ts" bigint NOT NULL,
	"portfolio" jsonb NOT NULL,
	"worst_drawdown_pct" double precision NOT NULL
);
--> statement-breakpoint
CREATE TABLE "trading"."bot_trades" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"bot_id" uuid NOT NULL,
	"symbol" text NOT NULL,
	"side" text NOT NULL,
	"entry_time_ms" bigint NOT NULL,
	"exit_time_ms" bigint NOT NULL,
	"entry_price" double precision NOT NULL,
	"exit_price" double precision NOT NULL,
	"quantity" double precision NOT NULL,
	"net_pnl" double precision NOT NULL,
	"fees" double precision NOT NULL,
	"funding" double precision NOT NULL,
	"exit_reason" text NOT NULL
);
--> statement-breakpoint
ALTER TABLE "trading"."bot_decisions" ADD CONSTRAINT "bot_decisions_bot_id_bots_id_fk" FOREIGN KEY ("bot_id") REFERENCES "trading"."bots"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "trading"."bot_equity" ADD CONSTRAINT "bot_equity_bot_id_bots_id_fk" FOREIGN KEY ("bot_id") REFERENCES "trading"."bots"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "trading"."bot_states" ADD CONSTRAINT "bot_states_bot_id_bots_id_fk" FOREIGN KEY ("bot_id") REFERENCES "trading"."bots"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "trading"."bot_trades" ADD CONSTRAINT "bot_trades_bot_id_bots_id_fk" FOREIGN KEY ("bot_id") REFERENCES "trading"."bots"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "bot_trades_newest" ON "trading"."bot_trades" USING btree ("bot_id","exit_time_ms");