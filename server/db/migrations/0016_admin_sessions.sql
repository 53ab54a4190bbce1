CREATE TABLE "network_days" (
	"day" date PRIMARY KEY NOT NULL,
	"joined" integer NOT NULL,
	"left" integer NOT NULL,
	"connectivity" numeric(16, 2) NOT NULL,
	"referral" numeric(16, 2) NOT NULL,
	"rewards" numeric(16, 2) NOT NULL,
	"others" numeric(16, 2) NOT NULL,
	"claims" bigint NOT NULL,
	"heard_in_hour" integer NOT NULL,
	"heard_in_day" integer NOT NULL,
	"summed_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "password_at" timestamp (3) with time zone;--> statement-breakpoint
CREATE INDEX "users_email_key_prefix" ON "users" USING btree ("email_key" text_pattern_ops);--> statement-breakpoint
CREATE INDEX "users_created_at" ON "users" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "users_deleted_at" ON "users" USING btree ("deleted_at") WHERE "users"."deleted_at" is not null;--> statement-breakpoint
CREATE INDEX "points_daily_by_day" ON "points_daily" USING btree ("day","category");--> statement-breakpoint
CREATE INDEX "referrals_claimed_at" ON "referrals" USING btree ("claimed_at") WHERE "referrals"."claimed_at" is not null;--> statement-breakpoint
CREATE INDEX "campaign_submissions_claimed_at" ON "campaign_submissions" USING btree ("claimed_at") WHERE "campaign_submissions"."claimed_at" is not null;--> statement-breakpoint
CREATE INDEX "audit_entries_by_actor" ON "audit_entries" USING btree ("actor_id","id");--> statement-breakpoint
CREATE INDEX "audit_entries_by_action" ON "audit_entries" USING btree ("action","id");