CREATE TABLE "bot_check_uses" (
	"token_id" text PRIMARY KEY NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "campaign_submissions" (
	"user_id" uuid NOT NULL,
	"campaign_id" text NOT NULL,
	"completed_at" timestamp (3) with time zone NOT NULL,
	"claimed_at" timestamp (3) with time zone,
	CONSTRAINT "campaign_submissions_user_id_campaign_id_pk" PRIMARY KEY("user_id","campaign_id")
);
--> statement-breakpoint
CREATE TABLE "campaigns" (
	"id" text PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"type" text NOT NULL,
	"form_url" text NOT NULL,
	"bonus_points" numeric(16, 2) NOT NULL,
	"mandatory" boolean NOT NULL,
	"button_text" text,
	"task_number" integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE "content_contributions" (
	"user_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"kind" text NOT NULL,
	"reference" text NOT NULL,
	"title" text NOT NULL,
	"points" numeric(16, 2) NOT NULL,
	"gathered_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "content_contributions_user_id_id_pk" PRIMARY KEY("user_id","id")
);
--> statement-breakpoint
CREATE TABLE "content_totals" (
	"user_id" uuid PRIMARY KEY NOT NULL,
	"contributions" integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "heartbeat_totals" (
	"user_id" uuid PRIMARY KEY NOT NULL,
	"heartbeats" bigint DEFAULT 0 NOT NULL,
	"last_beat_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "heartbeats" (
	"user_id" uuid NOT NULL,
	"slot_at" timestamp (3) with time zone NOT NULL,
	"beat_at" timestamp (3) with time zone NOT NULL,
	"received_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"device_id" uuid,
	CONSTRAINT "heartbeats_user_id_slot_at_pk" PRIMARY KEY("user_id","slot_at")
);
--> statement-breakpoint
CREATE TABLE "node_devices" (
	"user_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"name" text NOT NULL,
	"key_hash" "bytea" NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"revoked_at" timestamp (3) with time zone,
	CONSTRAINT "node_devices_user_id_id_pk" PRIMARY KEY("user_id","id")
);
--> statement-breakpoint
CREATE TABLE "points_daily" (
	"user_id" uuid NOT NULL,
	"day" date NOT NULL,
	"category" text NOT NULL,
	"points" numeric(16, 2) NOT NULL,
	"entries" integer NOT NULL,
	CONSTRAINT "points_daily_user_id_day_category_pk" PRIMARY KEY("user_id","day","category")
);
--> statement-breakpoint
CREATE TABLE "points_ledger" (
	"user_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"category" text NOT NULL,
	"points" numeric(16, 2) NOT NULL,
	"comment" text NOT NULL,
	"source" text NOT NULL,
	"source_id" text NOT NULL,
	"rule" text NOT NULL,
	"rule_version" smallint NOT NULL,
	"occurred_at" timestamp (3) with time zone NOT NULL,
	"posted_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "points_ledger_user_id_id_pk" PRIMARY KEY("user_id","id"),
	CONSTRAINT "points_ledger_category" CHECK ("points_ledger"."category" in ('Connectivity', 'Referral', 'Rewards', 'Others'))
);
--> statement-breakpoint
CREATE TABLE "points_totals" (
	"user_id" uuid PRIMARY KEY NOT NULL,
	"connectivity" numeric(16, 2) DEFAULT 0 NOT NULL,
	"referral" numeric(16, 2) DEFAULT 0 NOT NULL,
	"rewards" numeric(16, 2) DEFAULT 0 NOT NULL,
	"others" numeric(16, 2) DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "referral_totals" (
	"user_id" uuid PRIMARY KEY NOT NULL,
	"invited" integer DEFAULT 0 NOT NULL,
	"successful" integer DEFAULT 0 NOT NULL,
	"points" numeric(16, 2) DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "referrals" (
	"inviter_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"invitee_id" uuid NOT NULL,
	"invited_points" numeric(16, 2) NOT NULL,
	"invited_at" timestamp (3) with time zone NOT NULL,
	"claimed_at" timestamp (3) with time zone,
	CONSTRAINT "referrals_inviter_id_id_pk" PRIMARY KEY("inviter_id","id")
);
--> statement-breakpoint
CREATE TABLE "sessions" (
	"user_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"token_hash" "bytea" NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"revoked_at" timestamp (3) with time zone,
	CONSTRAINT "sessions_user_id_id_pk" PRIMARY KEY("user_id","id")
);
--> statement-breakpoint
CREATE TABLE "users" (
	"id" uuid PRIMARY KEY NOT NULL,
	"email" text NOT NULL,
	"email_key" text NOT NULL,
	"password_hash" text NOT NULL,
	"avatar_url" text,
	"campaign_email" text,
	"discord_userid" text,
	"discord_username" text,
	"full_name" text,
	"invited_by" uuid,
	"personal_code" text,
	"telegram_handle" text,
	"username" text,
	"wallet" text,
	"website" text,
	"x_handle" text,
	"total_points_done" boolean DEFAULT false NOT NULL,
	"heartbeats_genesis_snapshot" integer DEFAULT 0 NOT NULL,
	"is_whitelisted" boolean DEFAULT false NOT NULL,
	"onboarded_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "campaign_submissions" ADD CONSTRAINT "campaign_submissions_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "campaign_submissions" ADD CONSTRAINT "campaign_submissions_campaign_id_campaigns_id_fk" FOREIGN KEY ("campaign_id") REFERENCES "public"."campaigns"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "content_contributions" ADD CONSTRAINT "content_contributions_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "content_totals" ADD CONSTRAINT "content_totals_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "heartbeat_totals" ADD CONSTRAINT "heartbeat_totals_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "heartbeats" ADD CONSTRAINT "heartbeats_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "node_devices" ADD CONSTRAINT "node_devices_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "points_daily" ADD CONSTRAINT "points_daily_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "points_ledger" ADD CONSTRAINT "points_ledger_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "points_totals" ADD CONSTRAINT "points_totals_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "referral_totals" ADD CONSTRAINT "referral_totals_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "referrals" ADD CONSTRAINT "referrals_inviter_id_users_id_fk" FOREIGN KEY ("inviter_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "referrals" ADD CONSTRAINT "referrals_invitee_id_users_id_fk" FOREIGN KEY ("invitee_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "bot_check_uses_expires_at" ON "bot_check_uses" USING btree ("expires_at");--> statement-breakpoint
CREATE UNIQUE INDEX "content_contributions_reference_unique" ON "content_contributions" USING btree ("user_id","kind","reference");--> statement-breakpoint
CREATE INDEX "content_contributions_by_time" ON "content_contributions" USING btree ("user_id","gathered_at" DESC NULLS LAST,"id" DESC NULLS LAST);--> statement-breakpoint
CREATE UNIQUE INDEX "node_devices_key_hash_unique" ON "node_devices" USING btree ("key_hash");--> statement-breakpoint
CREATE UNIQUE INDEX "points_ledger_source_unique" ON "points_ledger" USING btree ("user_id","source","source_id");--> statement-breakpoint
CREATE INDEX "points_ledger_by_time" ON "points_ledger" USING btree ("user_id","occurred_at" DESC NULLS LAST,"id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "points_ledger_by_category" ON "points_ledger" USING btree ("user_id","category","occurred_at" DESC NULLS LAST,"id" DESC NULLS LAST);--> statement-breakpoint
CREATE UNIQUE INDEX "referrals_invitee_unique" ON "referrals" USING btree ("invitee_id");--> statement-breakpoint
CREATE INDEX "referrals_by_time" ON "referrals" USING btree ("inviter_id","invited_at" DESC NULLS LAST,"id" DESC NULLS LAST);--> statement-breakpoint
CREATE UNIQUE INDEX "sessions_token_hash_unique" ON "sessions" USING btree ("token_hash");--> statement-breakpoint
CREATE INDEX "sessions_expires_at" ON "sessions" USING btree ("expires_at");--> statement-breakpoint
CREATE UNIQUE INDEX "users_email_key_unique" ON "users" USING btree ("email_key");--> statement-breakpoint
CREATE UNIQUE INDEX "users_personal_code_unique" ON "users" USING btree ("personal_code");--> statement-breakpoint
CREATE UNIQUE INDEX "users_wallet_unique" ON "users" USING btree (lower("wallet"));