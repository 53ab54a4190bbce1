ALTER TABLE "audit_entries" DROP CONSTRAINT "audit_entries_subject";--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "blocked_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "background_jobs" ADD COLUMN "recipient" "bytea";--> statement-breakpoint
CREATE INDEX "sessions_last_seen_at" ON "sessions" USING btree ("last_seen_at");--> statement-breakpoint
CREATE INDEX "password_resets_email" ON "password_resets" USING btree (lower("email"));--> statement-breakpoint
CREATE INDEX "security_events_of_nobody" ON "security_events" USING btree ("occurred_at") WHERE "security_events"."user_id" = '00000000-0000-0000-0000-000000000000';--> statement-breakpoint
CREATE INDEX "background_jobs_recipient" ON "background_jobs" USING btree ("recipient") WHERE "background_jobs"."recipient" is not null;--> statement-breakpoint
CREATE INDEX "background_jobs_unaddressed" ON "background_jobs" USING btree ("key") WHERE "background_jobs"."kind" = 'mail' and "background_jobs"."recipient" is null;--> statement-breakpoint
ALTER TABLE "audit_entries" ADD CONSTRAINT "audit_entries_subject" CHECK ("audit_entries"."subject" in ('member', 'campaign', 'referral', 'job'));