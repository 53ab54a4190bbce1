CREATE TABLE "legal_drafts" (
	"document" text PRIMARY KEY NOT NULL,
	"title" text NOT NULL,
	"changes" text NOT NULL,
	"source" text NOT NULL,
	"effective_from" date NOT NULL,
	"revision" integer NOT NULL,
	"saved_at" timestamp (3) with time zone NOT NULL,
	"saved_by" uuid,
	CONSTRAINT "legal_drafts_document" CHECK ("legal_drafts"."document" in ('tos', 'pp'))
);
--> statement-breakpoint
CREATE TABLE "legal_versions" (
	"document" text NOT NULL,
	"version" smallint NOT NULL,
	"effective_from" date NOT NULL,
	"title" text NOT NULL,
	"changes" text NOT NULL,
	"sections" jsonb NOT NULL,
	"text_hash" "bytea" NOT NULL,
	"published_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "legal_versions_document_version_pk" PRIMARY KEY("document","version"),
	CONSTRAINT "legal_versions_document" CHECK ("legal_versions"."document" in ('tos', 'pp'))
);
--> statement-breakpoint
CREATE TABLE "adjustment_allowances" (
	"administrator_id" uuid PRIMARY KEY NOT NULL,
	"day" date NOT NULL,
	"points" numeric(16, 2) NOT NULL
);
--> statement-breakpoint
CREATE TABLE "adjustment_requests" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"category" text NOT NULL,
	"points" numeric(16, 2) NOT NULL,
	"key" text NOT NULL,
	"reason" text NOT NULL,
	"requested_by" uuid NOT NULL,
	"requested_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"decision" text,
	"decided_by" uuid,
	"decided_at" timestamp (3) with time zone,
	CONSTRAINT "adjustment_requests_category" CHECK ("adjustment_requests"."category" in ('Connectivity', 'Referral', 'Rewards', 'Others')),
	CONSTRAINT "adjustment_requests_decision" CHECK ("adjustment_requests"."decision" in ('approved', 'declined')),
	CONSTRAINT "adjustment_requests_decided" CHECK (("adjustment_requests"."decision" is null) = ("adjustment_requests"."decided_by" is null) and ("adjustment_requests"."decision" is null) = ("adjustment_requests"."decided_at" is null)),
	CONSTRAINT "adjustment_requests_second" CHECK ("adjustment_requests"."decision" is distinct from 'approved' or "adjustment_requests"."decided_by" <> "adjustment_requests"."requested_by")
);
--> statement-breakpoint
ALTER TABLE "audit_entries" DROP CONSTRAINT "audit_entries_subject";--> statement-breakpoint
ALTER TABLE "adjustment_requests" ADD CONSTRAINT "adjustment_requests_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "legal_versions_day_unique" ON "legal_versions" USING btree ("document","effective_from");--> statement-breakpoint
CREATE UNIQUE INDEX "adjustment_requests_key_unique" ON "adjustment_requests" USING btree ("user_id","key");--> statement-breakpoint
CREATE INDEX "adjustment_requests_open" ON "adjustment_requests" USING btree ("expires_at","id") WHERE "adjustment_requests"."decision" is null;--> statement-breakpoint
CREATE INDEX "referrals_waiting" ON "referrals" USING btree ("id") WHERE "referrals"."held_at" is not null and "referrals"."reviewed_at" is null;--> statement-breakpoint
CREATE INDEX "campaign_submissions_by_time" ON "campaign_submissions" USING btree ("campaign_id","completed_at","user_id");--> statement-breakpoint
CREATE INDEX "campaign_submissions_claimed" ON "campaign_submissions" USING btree ("campaign_id") WHERE "campaign_submissions"."claimed_at" is not null;--> statement-breakpoint
CREATE INDEX "campaigns_by_task" ON "campaigns" USING btree ("task_number","id");--> statement-breakpoint
CREATE INDEX "chain_jobs_by_state" ON "chain_jobs" USING btree ("state","id");--> statement-breakpoint
CREATE INDEX "background_jobs_dead" ON "background_jobs" USING btree ("kind","key") WHERE "background_jobs"."dead_at" is not null;--> statement-breakpoint
ALTER TABLE "audit_entries" ADD CONSTRAINT "audit_entries_subject" CHECK ("audit_entries"."subject" in ('member', 'campaign', 'referral', 'job', 'document'));--> statement-breakpoint
-- What members have accepted is not rewritten. The database itself refuses it.
CREATE FUNCTION refuse_legal_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'legal_versions is append-only: % refused', TG_OP USING ERRCODE = 'restrict_violation';
END
$$;
--> statement-breakpoint
CREATE TRIGGER legal_versions_append_only BEFORE UPDATE OR DELETE ON legal_versions
  FOR EACH ROW EXECUTE FUNCTION refuse_legal_change();
--> statement-breakpoint
CREATE TRIGGER legal_versions_no_truncate BEFORE TRUNCATE ON legal_versions
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_legal_change();
