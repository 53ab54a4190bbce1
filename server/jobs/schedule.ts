import type { Db } from "../db/client.ts";
import type { Again, JobKinds } from "./job.ts";
import { enqueueOnce } from "./queries.ts";

/** Recurring work that one of all processes does each time. `every` is in milliseconds. */
type Schedule = { every: number; run: () => Promise<Again | void> };
export type Schedules = Readonly<Record<string, Schedule>>;

/** Longer than any run takes. */
const LEASE = 5 * 60_000;
const FIRST_RETRY = 5_000;

/** Turns schedules into kinds of jobs. Each has a single job, which is never done. */
export const toKinds = (schedules: Schedules): JobKinds =>
  Object.fromEntries(
    Object.entries(schedules).map(([name, { every, run }]) => [
      name,
      {
        atOnce: 1,
        lease: LEASE,
        backOff: { first: Math.min(FIRST_RETRY, every), longest: every },
        run: async () => (await run()) ?? { again: every },
      },
    ]),
  );

/** Queues each schedule that is not queued yet, and makes none wait longer than its own interval. */
export async function queueSchedules(db: Db, schedules: Schedules, now: Date): Promise<void> {
  for (const [kind, { every }] of Object.entries(schedules)) {
    await enqueueOnce(db, { kind, key: "", now, wait: every, lease: LEASE });
  }
}
