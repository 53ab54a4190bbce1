import { randomUUID } from "node:crypto";
import { adjustPoints } from "../../server/points/adjustment.ts";
import type { Rewriting } from "./faulty-pool.ts";

/** What an operator's tools call. */
export type Services = { adjustPoints: typeof adjustPoints };
export const SERVICES: Services = { adjustPoints };

/**
 * A defect that is put into a simulation, to see that it is found. The product stays as it is: its statements are
 * changed on their way to the database, or the database's own rules are.
 */
export type Planted = {
  /** What is wrong, in a line. */
  what: string;
  rewrite?: Rewriting;
  /** Done to the empty database, and undone after it. */
  plant?: string;
  lift?: string;
  services?: Partial<Services>;
};

/** A simulation as it is, without anything planted. */
export const SOUND: Planted = { what: "nothing" };

/** Takes a part out of the statements that have it. */
const without = (part: string): Rewriting => instead(part, "");

function instead(part: string, other: string): Rewriting {
  return (statement) => statement.replace(part, other);
}

export const PLANTED: Readonly<Record<string, Planted>> = {
  "ledger without its key": {
    what: "an event that is posted again is one more entry",
    rewrite: without("on conflict (user_id, source, source_id) do nothing"),
    plant: "drop index points_ledger_source_unique",
    lift: "create unique index points_ledger_source_unique on points_ledger (user_id, source, source_id)",
  },
  "totals left behind": {
    what: "a posting of rewards does not reach the totals that are there",
    rewrite: instead("rewards = kept.rewards + excluded.rewards", "rewards = kept.rewards"),
  },
  "days of another zone": {
    what: "the sums of days go by the time of Tokyo",
    rewrite: instead(
      "select user_id, (occurred_at at time zone 'UTC')::date, category, sum(points)",
      "select user_id, (occurred_at at time zone 'Asia/Tokyo')::date, category, sum(points)",
    ),
  },
  "adjusted again": {
    what: "what was not answered, and is asked for again, is done again",
    services: {
      adjustPoints: (deps, act, asked) => adjustPoints(deps, act, { ...asked, key: `${asked.key} ${randomUUID()}` }),
    },
  },
  "claimed without a lock": {
    what: "of claims of a friend's points at once each one is the first",
    rewrite: instead('"referrals"."claimed_at" is null and', ""),
  },
};
