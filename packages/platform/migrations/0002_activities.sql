CREATE TABLE "platform"."activities" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"at" timestamp with time zone DEFAULT now() NOT NULL,
	"type" text NOT NULL,
	"action" text NOT NULL,
	"actor_id" uuid,
	"owner_id" uuid,
	"is_public" boolean NOT NULL,
	"subject_id" text NOT NULL,
	"subject_name" text NOT NULL,
	"detail" text
);
--> statement-breakpoint
CREATE INDEX "activities_type" ON "platform"."activities" USING btree ("type","id");--> statement-breakpoint
CREATE INDEX "activities_actor" ON "platform"."activities" USING btree ("actor_id","id");--> statement-breakpoint
CREATE INDEX "activities_subject" ON "platform"."activities" USING btree ("subject_id","id");