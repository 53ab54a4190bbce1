ALTER TABLE "chain_jobs" ADD COLUMN "email_salt" "bytea";--> statement-breakpoint
ALTER TABLE "chain_jobs" ADD COLUMN "email_signature" text;