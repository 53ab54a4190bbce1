CREATE TABLE "heartbeat_months" (
	"user_id" uuid NOT NULL,
	"month" date NOT NULL,
	"heartbeats" integer NOT NULL,
	"first_slot_at" timestamp (3) with time zone NOT NULL,
	"last_beat_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "heartbeat_months_user_id_month_pk" PRIMARY KEY("user_id","month")
);
--> statement-breakpoint
CREATE TABLE "monthly_tables" (
	"name" text PRIMARY KEY NOT NULL,
	"kept_from" timestamp (3) with time zone,
	"copied_to" jsonb,
	"copied" bigint DEFAULT 0 NOT NULL
);
--> statement-breakpoint
ALTER TABLE "heartbeat_months" ADD CONSTRAINT "heartbeat_months_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "jobs_received_at" ON "jobs" USING btree ("received_at");--> statement-breakpoint
CREATE INDEX "node_devices_key_hash" ON "node_devices" USING btree ("key_hash");--> statement-breakpoint
CREATE INDEX "sessions_token_hash" ON "sessions" USING btree ("token_hash");--> statement-breakpoint
CREATE INDEX "campaign_emails_token_hash" ON "campaign_emails" USING btree ("token_hash");--> statement-breakpoint
DROP INDEX "node_devices_key_hash_unique";--> statement-breakpoint
DROP INDEX "sessions_token_hash_unique";--> statement-breakpoint
DROP INDEX "campaign_emails_token_hash_unique";--> statement-breakpoint
-- Adds a month (UTC) to a table that is divided by month, and says whether it was missing. With its owner's rights, so
-- that a role that owns nothing can make room for what it writes. The month is attached, not made in place: that stops
-- nobody who reads or writes the others. What was taken away once is not made room for again.
CREATE FUNCTION add_month(parent regclass, at timestamptz) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  first timestamp := date_trunc('month', at AT TIME ZONE 'UTC');
  space name;
  base name;
  month name;
BEGIN
  SELECT nspname, regexp_replace(relname, '_monthly$', '') INTO space, base
    FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
    WHERE pg_class.oid = parent AND relkind = 'p' AND relname IN ('heartbeats', 'heartbeats_monthly');
  IF base IS NULL THEN
    RETURN false;
  END IF;
  month := base || to_char(first, '_YYYY_MM');
  -- Any number that nothing else locks.
  PERFORM pg_advisory_xact_lock(6032019);
  IF EXISTS (
    SELECT FROM pg_inherits JOIN pg_class ON pg_class.oid = inhrelid WHERE inhparent = parent AND relname = month
  ) OR EXISTS (
    SELECT FROM public.monthly_tables WHERE name = base AND kept_from > first AT TIME ZONE 'UTC'
  ) THEN
    RETURN false;
  END IF;
  EXECUTE format('CREATE TABLE %I.%I (LIKE %s INCLUDING DEFAULTS INCLUDING CONSTRAINTS INCLUDING INDEXES)',
    space, month, parent);
  EXECUTE format('ALTER TABLE %s ATTACH PARTITION %I.%I FOR VALUES FROM (%L) TO (%L)', parent, space, month,
    first AT TIME ZONE 'UTC', (first + interval '1 month') AT TIME ZONE 'UTC');
  RETURN true;
END
$$;
--> statement-breakpoint
-- Heartbeats are divided by month where there are none yet. Where there are, the operator's command divides them while
-- the server runs: `database partition`.
LOCK TABLE heartbeats IN ACCESS EXCLUSIVE MODE;
--> statement-breakpoint
DO $$
BEGIN
  IF EXISTS (SELECT FROM heartbeats) THEN
    RETURN;
  END IF;
  DROP TABLE heartbeats;
  CREATE TABLE heartbeats (
    user_id uuid NOT NULL,
    slot_at timestamp (3) with time zone NOT NULL,
    beat_at timestamp (3) with time zone NOT NULL,
    received_at timestamp (3) with time zone DEFAULT now() NOT NULL,
    device_id uuid,
    CONSTRAINT heartbeats_user_id_slot_at_pk PRIMARY KEY (user_id, slot_at),
    CONSTRAINT heartbeats_user_id_users_id_fk FOREIGN KEY (user_id) REFERENCES users (id)
  ) PARTITION BY RANGE (slot_at);
  PERFORM add_month('heartbeats', now() + months * interval '1 month') FROM generate_series(-1, 3) AS months;
END
$$;
