CREATE TABLE "administrators" (
	"user_id" uuid PRIMARY KEY NOT NULL,
	"since" timestamp (3) with time zone NOT NULL,
	"added_by" uuid
);
--> statement-breakpoint
CREATE TABLE "audit_entries" (
	"id" uuid PRIMARY KEY NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"actor" text NOT NULL,
	"actor_id" uuid,
	"action" text NOT NULL,
	"subject" text NOT NULL,
	"subject_id" text NOT NULL,
	"reason" text NOT NULL,
	"details" jsonb DEFAULT '{}'::jsonb NOT NULL,
	CONSTRAINT "audit_entries_actor" CHECK ("audit_entries"."actor" in ('administrator', 'operator', 'webhook')),
	CONSTRAINT "audit_entries_actor_id" CHECK (("audit_entries"."actor" = 'administrator') = ("audit_entries"."actor_id" is not null)),
	CONSTRAINT "audit_entries_subject" CHECK ("audit_entries"."subject" in ('member', 'campaign', 'referral')),
	CONSTRAINT "audit_entries_reason" CHECK (char_length("audit_entries"."reason") between 1 and 500)
);
--> statement-breakpoint
CREATE TABLE "webhook_messages" (
	"id" text PRIMARY KEY NOT NULL,
	"received_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "campaigns" ADD COLUMN "starts_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "campaigns" ADD COLUMN "ends_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "administrators" ADD CONSTRAINT "administrators_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "audit_entries_by_subject" ON "audit_entries" USING btree ("subject","subject_id","id");--> statement-breakpoint
CREATE INDEX "webhook_messages_received_at" ON "webhook_messages" USING btree ("received_at");--> statement-breakpoint
CREATE INDEX "users_whitelisted" ON "users" USING btree ("id") WHERE "users"."is_whitelisted";--> statement-breakpoint
-- Not valid: campaigns that were made by hand stay as they are until somebody changes them.
ALTER TABLE "campaigns" ADD CONSTRAINT "campaigns_id" CHECK ("campaigns"."id" <> 'heartbeat' and char_length("campaigns"."id") between 1 and 64) NOT VALID;--> statement-breakpoint
ALTER TABLE "campaigns" ADD CONSTRAINT "campaigns_name" CHECK (char_length("campaigns"."name") between 1 and 120) NOT VALID;--> statement-breakpoint
ALTER TABLE "campaigns" ADD CONSTRAINT "campaigns_type" CHECK (char_length("campaigns"."type") between 1 and 40) NOT VALID;--> statement-breakpoint
ALTER TABLE "campaigns" ADD CONSTRAINT "campaigns_form_url" CHECK ("campaigns"."form_url" ~ '^https://' and char_length("campaigns"."form_url") <= 500) NOT VALID;--> statement-breakpoint
ALTER TABLE "campaigns" ADD CONSTRAINT "campaigns_bonus_points" CHECK ("campaigns"."bonus_points" > 0 and "campaigns"."bonus_points" <= 1000000) NOT VALID;--> statement-breakpoint
ALTER TABLE "campaigns" ADD CONSTRAINT "campaigns_button_text" CHECK (char_length("campaigns"."button_text") between 1 and 40) NOT VALID;--> statement-breakpoint
ALTER TABLE "campaigns" ADD CONSTRAINT "campaigns_task_number" CHECK ("campaigns"."task_number" between 0 and 9999) NOT VALID;--> statement-breakpoint
ALTER TABLE "campaigns" ADD CONSTRAINT "campaigns_times" CHECK ("campaigns"."ends_at" > "campaigns"."starts_at") NOT VALID;--> statement-breakpoint
-- What was changed in somebody else's name is not rewritten. The database itself refuses it.
CREATE FUNCTION refuse_audit_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'audit_entries is append-only: % refused', TG_OP USING ERRCODE = 'restrict_violation';
END
$$;
--> statement-breakpoint
CREATE TRIGGER audit_entries_append_only BEFORE UPDATE OR DELETE ON audit_entries
  FOR EACH ROW EXECUTE FUNCTION refuse_audit_change();
--> statement-breakpoint
CREATE TRIGGER audit_entries_no_truncate BEFORE TRUNCATE ON audit_entries
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_change();
