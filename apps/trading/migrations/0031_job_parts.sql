CREATE TABLE "trading"."job_parts" (
	"job_id" uuid NOT NULL,
	"part" integer NOT NULL,
	"basis" text NOT NULL,
	"holder" uuid,
	"lease_until_ms" bigint DEFAULT 0 NOT NULL,
	"bytes" "bytea",
	CONSTRAINT "job_parts_key" PRIMARY KEY("job_id","part")
);
--> statement-breakpoint
ALTER TABLE "trading"."job_parts" ADD CONSTRAINT "job_parts_job_id_jobs_id_fk" FOREIGN KEY ("job_id") REFERENCES "trading"."jobs"("id") ON DELETE cascade ON UPDATE no action;