CREATE TABLE "ledger_days" (
	"user_id" uuid NOT NULL,
	"day" date NOT NULL,
	"category" text NOT NULL,
	"points" numeric(16, 2) NOT NULL,
	"entries" integer NOT NULL,
	CONSTRAINT "ledger_days_user_id_day_category_pk" PRIMARY KEY("user_id","day","category")
);
--> statement-breakpoint
ALTER TABLE "ledger_days" ADD CONSTRAINT "ledger_days_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
-- As names_deleted_member(points_ledger), by what it looks at: that one stood in the way of another table of the name,
-- and goes when the ledger is divided.
CREATE FUNCTION names_deleted_member(entry_of uuid, entry_rule text, entry_source_id text) RETURNS boolean
LANGUAGE plpgsql STABLE AS $$
DECLARE
  claim text := entry_source_id;
BEGIN
  IF names_nobody(entry_rule) THEN
    RETURN false;
  END IF;
  IF EXISTS (SELECT FROM users WHERE users.id = entry_of AND users.deleted_at IS NOT NULL) THEN
    RETURN true;
  END IF;
  IF entry_rule = 'reversal' THEN
    SELECT reversed.source_id INTO claim FROM points_ledger AS reversed
      WHERE reversed.user_id = entry_of AND reversed.id::text = entry_source_id AND reversed.rule = 'referral-claimed';
  ELSIF entry_rule <> 'referral-claimed' THEN
    RETURN false;
  END IF;
  RETURN EXISTS (
    SELECT FROM referrals JOIN users ON users.id = referrals.invitee_id
    WHERE referrals.inviter_id = entry_of AND referrals.id::text = claim AND users.deleted_at IS NOT NULL
  );
END
$$;
--> statement-breakpoint
-- As it was, also for the parts of a ledger that is divided.
CREATE OR REPLACE FUNCTION refuse_ledger_change() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  allowed record;
BEGIN
  IF TG_OP = 'UPDATE' THEN
    allowed := OLD;
    allowed.comment := anonymous_comment(OLD.rule, OLD.comment);
    allowed.source_id := anonymous_source_id(OLD.rule, OLD.source_id, OLD.id);
    IF NEW IS NOT DISTINCT FROM allowed AND names_deleted_member(OLD.user_id, OLD.rule, OLD.source_id) THEN
      RETURN NEW;
    END IF;
  END IF;
  RAISE EXCEPTION 'points_ledger is append-only: % refused', TG_OP USING ERRCODE = 'restrict_violation';
END
$$;
--> statement-breakpoint
-- Adds a month (UTC) to a table that is divided by month, as before; to the ledger, where it is divided, one of the
-- slots of heartbeats, which refuses to be emptied as the ledger does.
CREATE OR REPLACE FUNCTION add_month(parent regclass, at timestamptz) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  first timestamp := date_trunc('month', at AT TIME ZONE 'UTC');
  slot text := 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"';
  bounds text := format('(%L) TO (%L)', first AT TIME ZONE 'UTC', (first + interval '1 month') AT TIME ZONE 'UTC');
  space name;
  base name;
  month name;
BEGIN
  SELECT nspname, regexp_replace(relname, '_monthly$', '') INTO space, base
    FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
    WHERE pg_class.oid = parent AND relkind = 'p'
      AND relname IN ('heartbeats', 'heartbeats_monthly', 'points_ledger', 'points_ledger_monthly');
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
  IF base = 'points_ledger' THEN
    bounds := format('(''heartbeat'', %L) TO (''heartbeat'', %L)',
      to_char(first, slot), to_char(first + interval '1 month', slot));
    EXECUTE format('CREATE TRIGGER points_ledger_no_truncate BEFORE TRUNCATE ON %I.%I
      FOR EACH STATEMENT EXECUTE FUNCTION %I.refuse_ledger_change()', space, month, space);
  END IF;
  EXECUTE format('ALTER TABLE %s ATTACH PARTITION %I.%I FOR VALUES FROM %s', parent, space, month, bounds);
  RETURN true;
END
$$;
