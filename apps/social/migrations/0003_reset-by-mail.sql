ALTER TABLE "social"."reset_codes" DROP CONSTRAINT "reset_codes_pkey";--> statement-breakpoint
ALTER TABLE "social"."reset_codes" ADD COLUMN "way" text DEFAULT 'admin' NOT NULL;--> statement-breakpoint
ALTER TABLE "social"."reset_codes" ADD CONSTRAINT "reset_codes_user_id_way_pk" PRIMARY KEY("user_id","way");
