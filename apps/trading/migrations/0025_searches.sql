CREATE TABLE "trading"."search_results" (
	"search_id" uuid PRIMARY KEY NOT NULL,
	"winner" jsonb NOT NULL,
	"bytes" "bytea" NOT NULL
);
--> statement-breakpoint
ALTER TABLE "trading"."search_results" ADD CONSTRAINT "search_results_search_id_jobs_id_fk" FOREIGN KEY ("search_id") REFERENCES "trading"."jobs"("id") ON DELETE cascade ON UPDATE no action;