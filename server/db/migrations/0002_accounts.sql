CREATE TABLE "campaign_emails" (
	"user_id" uuid PRIMARY KEY NOT NULL,
	"id" uuid NOT NULL,
	"email" text NOT NULL,
	"token_hash" "bytea" NOT NULL,
	"code_hash" "bytea" NOT NULL,
	"code_attempts" smallint DEFAULT 0 NOT NULL,
	"resend_state" text NOT NULL,
	"mailed_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"used_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "known_devices" (
	"user_id" uuid NOT NULL,
	"token_hash" "bytea" NOT NULL,
	"first_seen_at" timestamp (3) with time zone NOT NULL,
	"last_seen_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "known_devices_user_id_token_hash_pk" PRIMARY KEY("user_id","token_hash")
);
--> statement-breakpoint
CREATE TABLE "mail_queue" (
	"id" uuid PRIMARY KEY NOT NULL,
	"sealed" "bytea" NOT NULL,
	"attempts" smallint DEFAULT 0 NOT NULL,
	"due_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "password_resets" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid,
	"email" text NOT NULL,
	"token_hash" "bytea" NOT NULL,
	"link_hash" "bytea" NOT NULL,
	"resend_state" text NOT NULL,
	"mailed_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"recovery_hash" "bytea",
	"recovery_expires_at" timestamp (3) with time zone,
	"provider_session" "bytea",
	"used_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "rate_limits" (
	"key" "bytea" PRIMARY KEY NOT NULL,
	"free_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "security_events" (
	"user_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"kind" text NOT NULL,
	"device" text NOT NULL,
	"network" text,
	"occurred_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "security_events_user_id_id_pk" PRIMARY KEY("user_id","id")
);
--> statement-breakpoint
CREATE TABLE "sign_ups" (
	"id" uuid PRIMARY KEY NOT NULL,
	"token_hash" "bytea" NOT NULL,
	"link_hash" "bytea" NOT NULL,
	"code_hash" "bytea" NOT NULL,
	"code_attempts" smallint DEFAULT 0 NOT NULL,
	"email" text NOT NULL,
	"password_hash" text,
	"referral_code" text,
	"resend_state" text NOT NULL,
	"mailed_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"used_at" timestamp (3) with time zone
);
--> statement-breakpoint
ALTER TABLE "users" ALTER COLUMN "password_hash" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "referrals" ADD COLUMN "held_reason" text;--> statement-breakpoint
ALTER TABLE "referrals" ADD COLUMN "held_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "referrals" ADD COLUMN "reviewed_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "referrals" ADD COLUMN "review" text;--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "last_seen_at" timestamp (3) with time zone DEFAULT now() NOT NULL;--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "device" text DEFAULT 'An unknown device' NOT NULL;--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "network" text;--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "provider_session" "bytea";--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "provider_expires_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "mailbox_key" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "provider_subject" text;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "campaign_mail" boolean DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE "campaign_emails" ADD CONSTRAINT "campaign_emails_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "known_devices" ADD CONSTRAINT "known_devices_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "campaign_emails_token_hash_unique" ON "campaign_emails" USING btree ("token_hash");--> statement-breakpoint
CREATE INDEX "campaign_emails_expires_at" ON "campaign_emails" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "known_devices_token_hash" ON "known_devices" USING btree ("token_hash");--> statement-breakpoint
CREATE INDEX "known_devices_last_seen_at" ON "known_devices" USING btree ("last_seen_at");--> statement-breakpoint
CREATE INDEX "mail_queue_due_at" ON "mail_queue" USING btree ("due_at");--> statement-breakpoint
CREATE UNIQUE INDEX "password_resets_token_hash_unique" ON "password_resets" USING btree ("token_hash");--> statement-breakpoint
CREATE UNIQUE INDEX "password_resets_link_hash_unique" ON "password_resets" USING btree ("link_hash");--> statement-breakpoint
CREATE UNIQUE INDEX "password_resets_recovery_hash_unique" ON "password_resets" USING btree ("recovery_hash");--> statement-breakpoint
CREATE INDEX "password_resets_user_id" ON "password_resets" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "password_resets_expires_at" ON "password_resets" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "rate_limits_free_at" ON "rate_limits" USING btree ("free_at");--> statement-breakpoint
CREATE INDEX "security_events_occurred_at" ON "security_events" USING btree ("occurred_at");--> statement-breakpoint
CREATE UNIQUE INDEX "sign_ups_token_hash_unique" ON "sign_ups" USING btree ("token_hash");--> statement-breakpoint
CREATE UNIQUE INDEX "sign_ups_link_hash_unique" ON "sign_ups" USING btree ("link_hash");--> statement-breakpoint
CREATE INDEX "sign_ups_expires_at" ON "sign_ups" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "referrals_held" ON "referrals" USING btree ("held_at") WHERE "referrals"."held_at" is not null and "referrals"."reviewed_at" is null;--> statement-breakpoint
CREATE INDEX "users_mailbox_key" ON "users" USING btree ("mailbox_key");--> statement-breakpoint
CREATE UNIQUE INDEX "users_provider_subject_unique" ON "users" USING btree ("provider_subject");