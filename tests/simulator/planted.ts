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
    what: "the ledger has no unique key: an event that is posted again is one more entry",
    rewrite: instead("on conflict (user_id, source, source_id) do nothing", ""),
    plant: "drop index points_ledger_source_unique",
  },
  "totals-left-behind": {
    what: "a posting of rewards does not reach totals that are there already",
    rewrite: instead("rewards = kept.rewards + excluded.rewards", "rewards = kept.rewards"),
  },
  "days-of-tokyo": {
    what: "the sums of days go by the time of another zone",
    rewrite: instead(
      "select user_id, (occurred_at at time zone 'UTC')::date, category, sum(points)",
      "select user_id, (occurred_at at time zone 'Asia/Tokyo')::date, category, sum(points)",
    ),
  },
  "done-again": {
    what: "an adjustment that is asked for again, for want of an answer, is made again",
    services: {
      adjustPoints: (deps, act, asked) => adjustPoints(deps, act, { ...asked, key: `${asked.key} ${randomUUID()}` }),
    },
  },
  "claim-without-lock": {
    what: "of claims of one reward at once each is the first",
    rewrite: instead(/(update "campaign_submissions" .*) and "campaign_submissions"."claimed_at" is null/, "$1"),
  },
  "entries-of-another": {
    what: "the log shows a member rewards of others",
    rewrite: instead(
      /(comment, occurred_at, id from "points_ledger"\s+where )(user_id = \(select \$\d+::uuid\))/,
      "$1($2 or category = 'Rewards')",
    ),
  },
  "ended-session": {
    what: "a session that was ended opens the account as before",
    rewrite: instead(/("sessions"."token_hash" = \$1 and \()"sessions"."revoked_at" is null and /, "$1"),
  },
  "lease-ignored": {
    what: "a worker takes what another has in hand",
    rewrite: instead(/(dead_at is null and )(due_at <= \$\d+::timestamptz)/, "$1($2 or lease is not null)"),
  },
  "lost-commit": {
    what: "one commit in fifty is answered, and is none",
    rewrite: loseCommits,
  },
  "audit-left-out": {
    what: "an administrator's change of the whitelist is not written down",
    ...onInsert("audit_entries", "if new.action like 'whitelist.%' then return null; end if;"),
  },
};
