CREATE TABLE "account_deletions" (
	"user_id" uuid PRIMARY KEY NOT NULL,
	"requested_at" timestamp (3) with time zone NOT NULL,
	"due_at" timestamp (3) with time zone NOT NULL,
	"closed_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "departed_mailboxes" (
	"mailbox_hash" "bytea" PRIMARY KEY NOT NULL,
	"departed_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "referrals" ADD COLUMN "settled_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "deleted_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "account_deletions" ADD CONSTRAINT "account_deletions_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "account_deletions_due_at" ON "account_deletions" USING btree ("due_at");--> statement-breakpoint
ALTER TABLE "users" ADD CONSTRAINT "users_deleted" CHECK ("users"."deleted_at" is null or (
        "users"."email" = "users"."id"::text and "users"."email_key" = "users"."id"::text and "users"."mailbox_key" = ''
        and not "users"."campaign_mail"
        and num_nonnulls(
          "users"."password_hash", "users"."provider_subject", "users"."avatar_url", "users"."campaign_email",
          "users"."discord_userid", "users"."discord_username", "users"."full_name", "users"."personal_code",
          "users"."telegram_handle", "users"."username", "users"."wallet", "users"."website", "users"."x_handle"
        ) = 0
      ));--> statement-breakpoint
-- What is left of a deleted account is changed by nobody: its user can neither come back nor be somebody else.
CREATE FUNCTION refuse_change_of_deleted_user() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'users: a deleted account is final, % refused', TG_OP USING ERRCODE = 'restrict_violation';
END
$$;
--> statement-breakpoint
CREATE TRIGGER users_deleted_is_final BEFORE UPDATE OR DELETE ON users
  FOR EACH ROW WHEN (OLD.deleted_at IS NOT NULL) EXECUTE FUNCTION refuse_change_of_deleted_user();
--> statement-breakpoint
-- Whose entries of the ledger keep their words: those that the server writes the same for everybody.
CREATE FUNCTION names_nobody(rule text) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
  SELECT rule IN ('points-per-heartbeat', 'referral-joined', 'campaign-bonus', 'heartbeat-reward', 'genesis-snapshot')
$$;
--> statement-breakpoint
-- The words of an entry that may name somebody, without the name.
CREATE FUNCTION anonymous_comment(rule text, comment text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE
    WHEN rule = 'referral-claimed' THEN 'Anonymous' || coalesce(substring(comment from ' reached [0-9]+ heartbeats$'), '')
    WHEN rule = 'content-gathered' THEN 'Content'
    WHEN rule = 'reversal' THEN 'Correction'
    ELSE 'Anonymous'
  END
$$;
--> statement-breakpoint
-- Its event, where the event's own id may name somebody: the entry's id instead, which is as unique.
CREATE FUNCTION anonymous_source_id(rule text, source_id text, id uuid) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN rule IN ('referral-claimed', 'reversal') THEN source_id ELSE id::text END
$$;
--> statement-breakpoint
-- Whether an entry may name a member who has deleted their account: it is theirs, or it is of the member who invited
-- them and is about just that, or takes such an entry back.
CREATE FUNCTION names_deleted_member(entry points_ledger) RETURNS boolean LANGUAGE plpgsql STABLE AS $$
DECLARE
  claim text := entry.source_id;
BEGIN
  IF names_nobody(entry.rule) THEN
    RETURN false;
  END IF;
  IF EXISTS (SELECT FROM users WHERE users.id = entry.user_id AND users.deleted_at IS NOT NULL) THEN
    RETURN true;
  END IF;
  IF entry.rule = 'reversal' THEN
    SELECT reversed.source_id INTO claim FROM points_ledger AS reversed
      WHERE reversed.user_id = entry.user_id AND reversed.id::text = entry.source_id
        AND reversed.rule = 'referral-claimed';
  ELSIF entry.rule <> 'referral-claimed' THEN
    RETURN false;
  END IF;
  RETURN EXISTS (
    SELECT FROM referrals JOIN users ON users.id = referrals.invitee_id
    WHERE referrals.inviter_id = entry.user_id AND referrals.id::text = claim AND users.deleted_at IS NOT NULL
  );
END
$$;
--> statement-breakpoint
-- The ledger still only grows. The one change that is let through takes the words from an entry that may name a
-- deleted member, and nothing else: amounts, times, rules and owners stay as they were posted.
CREATE OR REPLACE FUNCTION refuse_ledger_change() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  allowed points_ledger;
BEGIN
  IF TG_OP = 'UPDATE' THEN
    allowed := OLD;
    allowed.comment := anonymous_comment(OLD.rule, OLD.comment);
    allowed.source_id := anonymous_source_id(OLD.rule, OLD.source_id, OLD.id);
    IF NEW IS NOT DISTINCT FROM allowed AND names_deleted_member(OLD) THEN
      RETURN NEW;
    END IF;
  END IF;
  RAISE EXCEPTION 'points_ledger is append-only: % refused', TG_OP USING ERRCODE = 'restrict_violation';
END
$$;
--> statement-breakpoint
-- What happened to an account is kept as before, and goes with the account.
CREATE OR REPLACE FUNCTION refuse_security_event_change() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  kept interval := '365 days';
BEGIN
  IF TG_OP = 'DELETE' THEN
    IF OLD.user_id = '00000000-0000-0000-0000-000000000000' THEN
      kept := '30 days';
    END IF;
    IF OLD.occurred_at < now() - kept THEN
      RETURN OLD;
    END IF;
    IF EXISTS (SELECT FROM users WHERE users.id = OLD.user_id AND users.deleted_at IS NOT NULL) THEN
      RETURN OLD;
    END IF;
  END IF;
  RAISE EXCEPTION 'security_events is append-only: % refused', TG_OP USING ERRCODE = 'restrict_violation';
END
$$;
