CREATE TABLE "trading"."chart_lines" (
	"user_id" uuid NOT NULL,
	"venue" text NOT NULL,
	"symbol" text NOT NULL,
	"lines" jsonb NOT NULL,
	CONSTRAINT "chart_lines_user_id_venue_symbol_pk" PRIMARY KEY("user_id","venue","symbol")
);
--> statement-breakpoint
CREATE TABLE "trading"."watchlists" (
	"user_id" uuid NOT NULL,
	"venue" text NOT NULL,
	"series" jsonb NOT NULL,
	CONSTRAINT "watchlists_user_id_venue_pk" PRIMARY KEY("user_id","venue")
);
