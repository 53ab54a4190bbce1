import { randomUUID } from "node:crypto";
import { adjustPoints } from "../../server/adjustments/adjustment.ts";
import type { Rewriting } from "./faulty-pool.ts";

/** The services that an operator's tools call. */
export type Services = { adjustPoints: typeof adjustPoints };
export const SERVICES: Services = { adjustPoints };

/**
 * A defect that is planted in a simulation, to check that it is found. The product stays unchanged: its statements are
 * rewritten on their way to the database, the database's own rules are changed, or a service is replaced.
 */
export type Planted = {
  /** What is wrong, in one line. */
  what: string;
  /** Creates the rewriting of statements for one simulation. */
  rewrite?: () => Rewriting;
  /** SQL to run on the empty database. */
  plant?: string;
  services?: Partial<Services>;
};

/** A simulation without a planted defect. */
export const SOUND: Planted = { what: "nothing" };

/** Replaces a part of every statement that contains it. */
const instead = (part: string | RegExp, other: string) => () => (statement: string) => statement.replace(part, other);

/** Rolls back one commit in fifty, which is answered like any other. */
function loseCommits(): Rewriting {
  let commits = 0;
  return (statement) => {
    if (statement !== "commit") return statement;
    commits += 1;
    return commits % 50 === 0 ? "rollback" : statement;
  };
}

/** Adds a trigger that changes what is inserted, or leaves it out. */
const onInsert = (table: string, body: string) => ({
  plant: `create function planted() returns trigger language plpgsql as $$ begin ${body} return new; end $$;
    create trigger planted before insert on ${table} for each row execute function planted()`,
});

export const PLANTED: Readonly<Record<string, Planted>> = {
  "no-key": {
    what: "the ledger has no unique key, so an event that is posted again adds an entry",
    rewrite: instead("on conflict (user_id, source, source_id) do nothing", ""),
    plant: "drop index points_ledger_source_unique",
  },
  "totals-left-behind": {
    what: "posting rewards does not update existing totals",
    rewrite: instead("rewards = kept.rewards + excluded.rewards", "rewards = kept.rewards"),
  },
  "days-of-tokyo": {
    what: "daily sums use another time zone",
    rewrite: instead(
      "select user_id, (occurred_at at time zone 'UTC')::date, category, sum(points)",
      "select user_id, (occurred_at at time zone 'Asia/Tokyo')::date, category, sum(points)",
    ),
  },
  "done-again": {
    what: "an adjustment that is retried because its response was lost is made twice",
    services: {
      adjustPoints: (deps, act, asked) => adjustPoints(deps, act, { ...asked, key: `${asked.key} ${randomUUID()}` }),
    },
  },
  "claim-without-lock": {
    what: "concurrent claims of one reward each count as the first",
    rewrite: instead(/(update "campaign_submissions" .*) and "campaign_submissions"."claimed_at" is null/, "$1"),
  },
  "entries-of-another": {
    what: "the points log shows a member other members' rewards",
    rewrite: instead(
      /(comment, occurred_at, id from "points_ledger"\s+where )(user_id = \(select \$\d+::uuid\))/,
      "$1($2 or category = 'Rewards')",
    ),
  },
  "ended-session": {
    what: "an ended session still opens the account",
    rewrite: instead(/("sessions"."token_hash" = \$1 and \()"sessions"."revoked_at" is null and /, "$1"),
  },
  "lease-ignored": {
    what: "a worker takes jobs that another one holds",
    rewrite: instead(/(dead_at is null and )(due_at <= \$\d+::timestamptz)/, "$1($2 or lease is not null)"),
  },
  "lost-commit": {
    what: "one commit in fifty is acknowledged but not made",
    rewrite: loseCommits,
  },
  "audit-left-out": {
    what: "a whitelist change by an administrator is not in the audit log",
    ...onInsert("audit_entries", "if new.action like 'whitelist.%' then return null; end if;"),
  },
};
