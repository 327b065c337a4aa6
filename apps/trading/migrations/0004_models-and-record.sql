CREATE TABLE "trading"."bot_predictions" (
	"bot_id" uuid PRIMARY KEY NOT NULL,
	"prediction" jsonb NOT NULL,
	"made_at_ms" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "trading"."datasets" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"user_id" uuid NOT NULL,
	"venue" text NOT NULL,
	"symbol" text NOT NULL,
	"timeframe" text NOT NULL,
	"rows" integer NOT NULL,
	"from_ts" bigint NOT NULL,
	"to_ts" bigint NOT NULL,
	"hash" text NOT NULL,
	"active" boolean DEFAULT false NOT NULL,
	"created_at_ms" bigint NOT NULL,
	CONSTRAINT "datasets_once" UNIQUE("user_id","venue","symbol","timeframe","from_ts","to_ts","hash")
);
--> statement-breakpoint
CREATE TABLE "trading"."training_checkpoints" (
	"training_id" uuid NOT NULL,
	"network" text NOT NULL,
	"state" "bytea" NOT NULL,
	CONSTRAINT "training_checkpoints_key" PRIMARY KEY("training_id","network")
);
--> statement-breakpoint
CREATE TABLE "trading"."predictions" (
	"artifact_id" uuid NOT NULL,
	"ts" bigint NOT NULL,
	"candle_check" bigint NOT NULL,
	"signal" smallint NOT NULL,
	"confidence" double precision NOT NULL,
	"price" double precision NOT NULL,
	"lstm" double precision NOT NULL,
	"transformer" double precision NOT NULL,
	"stop_loss" double precision NOT NULL,
	"edge_bps" double precision NOT NULL,
	"made_at_ms" bigint NOT NULL,
	CONSTRAINT "predictions_key" PRIMARY KEY("artifact_id","ts")
);
--> statement-breakpoint
CREATE TABLE "trading"."sealed_head" (
	"id" integer PRIMARY KEY NOT NULL,
	"rows" bigint NOT NULL,
	"hash" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "trading"."sealed_predictions" (
	"seq" bigint PRIMARY KEY NOT NULL,
	"venue" text NOT NULL,
	"symbol" text NOT NULL,
	"timeframe" text NOT NULL,
	"version" text NOT NULL,
	"artifact_id" uuid NOT NULL,
	"artifact_hash" text NOT NULL,
	"candle_ts" bigint NOT NULL,
	"made_at_ms" bigint NOT NULL,
	"market_time_ms" bigint NOT NULL,
	"horizon" integer NOT NULL,
	"p_up" double precision NOT NULL,
	"signal" text NOT NULL,
	"confidence" double precision NOT NULL,
	"price" double precision NOT NULL,
	"lstm" double precision NOT NULL,
	"transformer" double precision NOT NULL,
	"stop_loss" double precision NOT NULL,
	"edge_bps" double precision NOT NULL,
	"fan" double precision[] NOT NULL,
	"reasoning" text NOT NULL,
	"climatology" double precision NOT NULL,
	"reversal_up" boolean NOT NULL,
	"previous_hash" text NOT NULL,
	"row_hash" text NOT NULL,
	CONSTRAINT "sealed_once" UNIQUE("artifact_id","symbol","timeframe","candle_ts")
);
--> statement-breakpoint
CREATE TABLE "trading"."sealed_scores" (
	"seq" bigint NOT NULL,
	"horizon" integer NOT NULL,
	"price" double precision NOT NULL,
	"covered_90" boolean NOT NULL,
	"covered_50" boolean NOT NULL,
	"scored_at_ms" bigint NOT NULL,
	CONSTRAINT "sealed_scores_key" PRIMARY KEY("seq","horizon")
);
--> statement-breakpoint
ALTER TABLE "trading"."artifacts" ADD COLUMN "active" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "trading"."artifacts" ADD COLUMN "comparison" jsonb;--> statement-breakpoint
ALTER TABLE "trading"."trainings" ADD COLUMN "turn" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "trading"."bot_predictions" ADD CONSTRAINT "bot_predictions_bot_id_bots_id_fk" FOREIGN KEY ("bot_id") REFERENCES "trading"."bots"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "trading"."training_checkpoints" ADD CONSTRAINT "training_checkpoints_training_id_trainings_id_fk" FOREIGN KEY ("training_id") REFERENCES "trading"."trainings"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "trading"."sealed_scores" ADD CONSTRAINT "sealed_scores_seq_sealed_predictions_seq_fk" FOREIGN KEY ("seq") REFERENCES "trading"."sealed_predictions"("seq") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "datasets_one_active" ON "trading"."datasets" USING btree ("user_id","venue") WHERE "trading"."datasets"."active";--> statement-breakpoint
CREATE INDEX "sealed_by_series" ON "trading"."sealed_predictions" USING btree ("venue","symbol","timeframe","candle_ts");--> statement-breakpoint
CREATE INDEX "sealed_by_version" ON "trading"."sealed_predictions" USING btree ("venue","version","seq");--> statement-breakpoint
CREATE UNIQUE INDEX "artifacts_one_active" ON "trading"."artifacts" USING btree ("version","venue","symbol","timeframe") WHERE "trading"."artifacts"."active";