CREATE TABLE "trading"."trials" (
	"user_id" uuid NOT NULL,
	"venue" text NOT NULL,
	"symbol" text NOT NULL,
	"timeframe" text NOT NULL,
	"kind" text NOT NULL,
	"hash" text NOT NULL,
	"count" integer NOT NULL,
	CONSTRAINT "trials_key" PRIMARY KEY("user_id","venue","symbol","timeframe","kind","hash")
);
