import type { Db, Tx } from "../db/client.ts";
import { inTransaction } from "../db/transaction.ts";
import type { Deps } from "../deps.ts";
import { slotOf } from "../heartbeats/beat-window.ts";
import type { Again } from "../jobs/job.ts";
import type { Letter } from "../mail/letter.ts";
import { decideLook, latestLook } from "./decide-look.ts";
import * as letters from "./letters.ts";
import { bringForward, findMachine, saveLook, takeDue } from "./queries.ts";
import { createUnsubscribeCode } from "../mailed-code/unsubscribe-code.ts";
import { countMinutesUp } from "../status/queries.ts";

/** Members in one transaction. */
const BATCH = 100;
const MINUTE_MS = 60_000;
/** For so long a mail is news, in milliseconds. */
const LIFETIME_MS = 24 * 60 * MINUTE_MS;

/**
 * Minutes before a look, of which so many have to be good: nodes that could not be heard try again after five minutes
 * at most. The latest minutes may not be written down yet.
 */
const WATCHED = { from: 17, to: 2, good: 10 };

/**
 * Looks at the nodes that are due, a batch at most, and leaves the mails for those that are silent. A look, what it
 * says and when the next one is are one transaction: each silence is mailed once. Where there may be more it goes on.
 * After an outage of ours, whatever its cause, nobody is looked at before their nodes had time to come back.
 */
export async function lookForSilence(
  deps: Pick<Deps, "db" | "env" | "mailed" | "now" | "outbox">,
): Promise<Again | void> {
  const now = deps.now();
  if (!(await couldBeHeard(deps.db, now))) return;
  const intervalMs = deps.env.heartbeatIntervalSeconds * 1000;
  await bringForward(deps.db, { now, latest: latestLook({ now, intervalMs }) });
  const looked = await inTransaction(deps.db, async (tx) => {
    const due = await takeDue(tx, { now, limit: BATCH });
    for (const { userId, email, ...watched } of due) {
      const { mail, ...look } = decideLook(watched, { now, intervalMs });
      const letter = mail && (await writeLetter(tx, deps, { ...mail, userId, email, now }));
      if (letter) await deps.outbox.post(tx, letter, new Date(now.getTime() + LIFETIME_MS));
      await saveLook(tx, { userId, ...look });
    }
    return due.length;
  });
  if (looked === BATCH) return { again: 0 };
}

/** Whether beats have been taken in lately, as those processes say who take them in. */
async function couldBeHeard(db: Db, now: Date): Promise<boolean> {
  const before = (minutes: number) => new Date(now.getTime() - minutes * MINUTE_MS);
  const span = { since: before(WATCHED.from), until: before(WATCHED.to) };
  return (await countMinutesUp(db, { part: "heartbeats", ...span })) >= WATCHED.good;
}

type Telling = { kind: "silent" | "back"; since: Date; userId: string; email: string; now: Date };

async function writeLetter(
  tx: Tx,
  deps: Pick<Deps, "env" | "mailed">,
  { kind, since, userId, email, now }: Telling,
): Promise<Letter> {
  const silence = { code: createUnsubscribeCode(deps, "silenceLink", userId), since };
  if (kind === "back") return letters.nodeBack(email, silence);
  const slotAt = slotOf(since, deps.env.heartbeatIntervalSeconds);
  const machine = await findMachine(tx, { userId, slotAt });
  return letters.nodeSilent(email, { ...silence, machine, lasted: now.getTime() - since.getTime() });
}
