DROP INDEX "campaign_emails_token_hash";--> statement-breakpoint
DROP INDEX "jobs_by_time";--> statement-breakpoint
DROP INDEX "known_devices_token_hash";