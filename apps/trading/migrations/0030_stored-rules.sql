CREATE TABLE "trading"."rule_versions" (
	"rule_id" uuid NOT NULL,
	"version" integer NOT NULL,
	"text" text NOT NULL,
	"saved_at_ms" bigint NOT NULL,
	CONSTRAINT "rule_versions_key" PRIMARY KEY("rule_id","version")
);
--> statement-breakpoint
CREATE TABLE "trading"."rules" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"user_id" uuid NOT NULL,
	"name" text NOT NULL,
	"visibility" text NOT NULL,
	"version" integer NOT NULL,
	"text" text NOT NULL,
	"created_at_ms" bigint NOT NULL,
	"saved_at_ms" bigint NOT NULL
);
--> statement-breakpoint
ALTER TABLE "trading"."rule_versions" ADD CONSTRAINT "rule_versions_rule_id_rules_id_fk" FOREIGN KEY ("rule_id") REFERENCES "trading"."rules"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "rules_by_user" ON "trading"."rules" USING btree ("user_id","saved_at_ms" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "rules_public" ON "trading"."rules" USING btree ("saved_at_ms" DESC NULLS LAST) WHERE "trading"."rules"."visibility" = 'public';