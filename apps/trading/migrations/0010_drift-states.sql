CREATE TABLE "trading"."drift_states" (
	"artifact_id" uuid PRIMARY KEY NOT NULL,
	"decision" text NOT NULL,
	"since_ms" bigint,
	"last_scored_ms" bigint NOT NULL
);
