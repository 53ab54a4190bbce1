import type { PartId } from "./contract.ts";
import type { Figures } from "./figures.ts";

/** 0 up, 1 degraded, 2 down: as the database has it, so that the worst is the greatest. */
export type Grade = 0 | 1 | 2;
const [UP, DEGRADED, DOWN] = [0, 1, 2] as const satisfies Grade[];
export { DOWN, UP };

export type Seen = { grade: Grade; lagSeconds?: number | null; isReadOnly?: boolean };

/** Mails in a row that failed, since the last one that left. */
type Streak = number;

/** Seconds that the job which is due for longest has waited. */
const LATE = 5 * 60;
const VERY_LATE = 15 * 60;

/** Seconds. A node gives up after about ten, and sends again. */
const LONG_LAG = 5;

const MANY = 5;

/** How each part is by what /metrics says now, and said when it was looked at before. */
export function judge(before: Figures, now: Figures, streak: Streak): Partial<Record<PartId, Seen>> {
  const { isReadOnly } = now;
  // For whatever reads, and for whatever writes as well.
  const database = isReadOnly ? DEGRADED : now.isDatabaseReady ? UP : DOWN;
  const writes = now.isDatabaseReady ? UP : DOWN;
  const lagSeconds = findLag(before.beats, now.beats);
  const beats = worst(
    writes,
    judgeAnswers(since(before.beats, now.beats)),
    (lagSeconds ?? 0) > LONG_LAG ? DEGRADED : UP,
  );
  return {
    // Nothing that they answer is known without it.
    api: { grade: worst(database, judgeApi(before, now)) },
    database: { grade: database, isReadOnly },
    heartbeats: { grade: beats, lagSeconds },
    chain: { grade: worst(now.isChainReady ? UP : DOWN, judgeQueue(now, "chain"), judgeFailing(now, "chain")) },
    mail: { grade: worst(writes, judgeQueue(now, "mail"), judgeStreak(now, streak)) },
  };
}

export const worst = (...grades: Grade[]): Grade => grades.reduce((most, each) => (each > most ? each : most), UP);

type Answers = Figures["answers"];

/** A process that has begun anew counts from nothing. */
const since = (before: Answers, now: Answers): Answers =>
  now.all < before.all ? now : { all: now.all - before.all, failed: now.failed - before.failed };

/** Where nothing can be written, every write fails, and says nothing of the reads. */
const judgeApi = (before: Figures, now: Figures): Grade =>
  judgeAnswers(
    before.isReadOnly || now.isReadOnly ? since(before.reads, now.reads) : since(before.answers, now.answers),
  );

/** Down when half of the answers are failures of ours; degraded when one in twenty is. A single one says little. */
function judgeAnswers({ all, failed }: Answers): Grade {
  if (failed === 0) return UP;
  if (all >= MANY && failed * 2 >= all) return DOWN;
  return failed === all || (failed > 2 && failed * 20 >= all) ? DEGRADED : UP;
}

/** Within how many seconds 95 of 100 batches were answered: the border of the histogram. Null without any. */
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

/** What is due and nobody does. */
function judgeQueue({ oldestDueSeconds }: Figures, kind: string): Grade {
  const late = oldestDueSeconds.get(kind) ?? 0;
  return late >= VERY_LATE ? DOWN : late >= LATE ? DEGRADED : UP;
}

/** What has failed again and again, beside what has not. */
function judgeFailing({ failing, queued }: Figures, kind: string): Grade {
  const [bad, all] = [failing.get(kind) ?? 0, queued.get(kind) ?? 0];
  if (bad === 0 || bad * 2 < all) return UP;
  return bad >= 3 ? DOWN : DEGRADED;
}

/** Mails that fail while others leave say something of their mailboxes, and nothing of us. */
function judgeStreak({ failing }: Figures, streak: Streak): Grade {
  if (streak < 3) return UP;
  return streak >= 10 && (failing.get("mail") ?? 0) >= 3 ? DOWN : DEGRADED;
}

/** Begins anew with each mail that leaves, and when none waits that has failed. */
export function countStreak(before: Figures, now: Figures, streak: Streak): Streak {
  const isAnew = now.mails.sent < before.mails.sent || now.mails.failed < before.mails.failed;
  const [sent, failed] = isAnew
    ? [now.mails.sent, now.mails.failed]
    : [now.mails.sent - before.mails.sent, now.mails.failed - before.mails.failed];
  if (sent > 0 || (failed === 0 && (now.queued.get("mail") ?? 0) === 0 && now.isDatabaseReady)) return 0;
  return streak + failed;
}
