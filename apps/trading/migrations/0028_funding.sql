CREATE TABLE "trading"."funding_stretches" (
	"venue" text NOT NULL,
	"symbol" text NOT NULL,
	"from_ms" bigint NOT NULL,
	"until_ms" bigint NOT NULL,
	"revision" uuid DEFAULT gen_random_uuid() NOT NULL,
	"ts" bigint[] NOT NULL,
	"rate" double precision[] NOT NULL,
	"mark" double precision[] NOT NULL,
	CONSTRAINT "funding_stretches_venue_symbol_from_ms_pk" PRIMARY KEY("venue","symbol","from_ms")
);
