import type { PartId } from "./contract.ts";
import type { Figures } from "./figures.ts";

/** 0 up, 1 degraded, 2 down. The database uses the same numbers, so that the worst is the greatest. */
export type Grade = 0 | 1 | 2;
const [UP, DEGRADED, DOWN] = [0, 1, 2] as const satisfies Grade[];
export { DOWN, UP };

export type Seen = { grade: Grade; lagSeconds?: number | null; isReadOnly?: boolean };

/** How many mails in a row have failed since the last one that was sent. Undefined in a process that sends none. */
type Streak = number | undefined;

/** How many seconds the oldest due job may have waited before its kind is degraded (LATE) or down (VERY_LATE). */
const LATE = 5 * 60;
const VERY_LATE = 15 * 60;

/** In seconds. A node gives up after about ten, and sends again. */
const LONG_LAG = 5;

const MANY = 5;

/** Judges the state of each part by the current figures and those of the previous check. */
export function judge(before: Figures, now: Figures, streak: Streak): Partial<Record<PartId, Seen>> {
  const { isReadOnly } = now;
  // `database` is the grade of everything that reads, `writes` that of everything that also writes.
  const database = isReadOnly ? DEGRADED : now.isDatabaseReady ? UP : DOWN;
  const writes = now.isDatabaseReady ? UP : DOWN;
  const lagSeconds = findLag(before.beats, now.beats);
  const beats = worst(
    writes,
    judgeResponses(since(before.beats, now.beats)),
    (lagSeconds ?? 0) > LONG_LAG ? DEGRADED : UP,
  );
  return {
    // Includes the database, because without it calls have nothing to respond with.
    api: { grade: worst(database, judgeApi(before, now)) },
    database: { grade: database, isReadOnly },
    heartbeats: { grade: beats, lagSeconds },
    chain: { grade: worst(now.isChainReady ? UP : DOWN, judgeQueue(now, "chain"), judgeFailing(now, "chain")) },
    ...judgeMail(worst(writes, judgeQueue(now, "mail")), now, streak),
  };
}

export const worst = (...grades: Grade[]): Grade => grades.reduce((most, each) => (each > most ? each : most), UP);

type Responses = Figures["answers"];

/** Returns the difference between two counts. A process that has restarted counts from zero. */
const since = (before: Responses, now: Responses): Responses =>
  now.all < before.all ? now : { all: now.all - before.all, failed: now.failed - before.failed };

/**
 * Judges the API by its responses. If the database is read-only, all writes fail and say nothing of the reads, so only
 * reads count.
 */
const judgeApi = (before: Figures, now: Figures): Grade =>
  judgeResponses(
    before.isReadOnly || now.isReadOnly ? since(before.reads, now.reads) : since(before.answers, now.answers),
  );

/**
 * Judges the responses. Down if at least half of them are our failures, out of five or more. Degraded if all are, or if
 * at least three and at least one in twenty are. Fewer failures say little.
 */
function judgeResponses({ all, failed }: Responses): Grade {
  if (failed === 0) return UP;
  if (all >= MANY && failed * 2 >= all) return DOWN;
  return failed === all || (failed > 2 && failed * 20 >= all) ? DEGRADED : UP;
}

/**
 * Returns within how many seconds 95 of 100 batches were answered, rounded up to a bucket of the histogram. Null if
 * there were none.
 */
function findLag(before: Figures["beats"], now: Figures["beats"]): number | null {
  const { all } = since(before, now);
  if (all <= 0) return null;
  const isAnew = now.all < before.all;
  const borders = [...now.within.keys()].sort((one, other) => one - other);
  const enough = borders.find((border) => {
    const earlier = isAnew ? 0 : (before.within.get(border) ?? 0);
    return (now.within.get(border) ?? 0) - earlier >= all * 0.95;
  });
  return enough ?? (borders.at(-1) ?? 0) * 2;
}

/** Judges a kind by due jobs that nobody runs. */
function judgeQueue({ oldestDueSeconds }: Figures, kind: string): Grade {
  const late = oldestDueSeconds.get(kind) ?? 0;
  return late >= VERY_LATE ? DOWN : late >= LATE ? DEGRADED : UP;
}

/** Judges a kind by the share of its jobs that have failed again and again. */
function judgeFailing({ failing, queued }: Figures, kind: string): Grade {
  const [bad, all] = [failing.get(kind) ?? 0, queued.get(kind) ?? 0];
  if (bad === 0 || bad * 2 < all) return UP;
  return bad >= 3 ? DOWN : DEGRADED;
}

/** Judges mail. A process that sends none can only say that it is late, and not that all is well. */
function judgeMail(waiting: Grade, now: Figures, streak: Streak): { mail?: Seen } {
  if (streak !== undefined) return { mail: { grade: worst(waiting, judgeStreak(now, streak)) } };
  return waiting === UP ? {} : { mail: { grade: waiting } };
}

/**
 * Judges mail by its failures in a row. If other mails are sent in between, failures are due to single mailboxes, not
 * to us.
 */
function judgeStreak({ failing }: Figures, streak: number): Grade {
  if (streak < 3) return UP;
  return streak >= 10 && (failing.get("mail") ?? 0) >= 3 ? DOWN : DEGRADED;
}

/** Counts mails that failed in a row. Starts over with each mail that is sent, and when none is left in the queue. */
export function countStreak(before: Figures, now: Figures, streak: number): number {
  const isAnew = now.mails.sent < before.mails.sent || now.mails.failed < before.mails.failed;
  const [sent, failed] = isAnew
    ? [now.mails.sent, now.mails.failed]
    : [now.mails.sent - before.mails.sent, now.mails.failed - before.mails.failed];
  if (sent > 0 || (failed === 0 && (now.queued.get("mail") ?? 0) === 0 && now.isDatabaseReady)) return 0;
  return streak + failed;
}
