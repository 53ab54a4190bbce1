-- What happened to an account is not rewritten. It is kept for a year; for an address that nobody has, for a month.
CREATE FUNCTION refuse_security_event_change() RETURNS trigger LANGUAGE plpgsql AS $$
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
  END IF;
  RAISE EXCEPTION 'security_events is append-only: % refused', TG_OP USING ERRCODE = 'restrict_violation';
END
$$;
--> statement-breakpoint
CREATE TRIGGER security_events_append_only BEFORE UPDATE OR DELETE ON security_events
  FOR EACH ROW EXECUTE FUNCTION refuse_security_event_change();
--> statement-breakpoint
CREATE TRIGGER security_events_no_truncate BEFORE TRUNCATE ON security_events
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_security_event_change();
--> statement-breakpoint
-- As mailboxKey() computes it.
UPDATE users SET mailbox_key =
  replace(split_part(split_part(email_key, '@', 1), '+', 1), '.', '') || '@' || split_part(email_key, '@', 2);
