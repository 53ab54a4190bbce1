import type { Db, Tx } from "../db/client.ts";
import { inTransaction } from "../db/transaction.ts";
import type { Deps } from "../deps.ts";
import { slotOf } from "../heartbeats/beat-window.ts";
import type { Again } from "../jobs/job.ts";
import type { EmailContent } from "../mail/email.ts";
import { decideCheck, latestCheck } from "./decide-check.ts";
import * as emails from "./emails.ts";
import { bringForward, findMachine, saveCheck, lockDueChecks } from "./queries.ts";
import { createUnsubscribeCode } from "../mailed-code/unsubscribe-code.ts";
import { countMinutesUp } from "../status/queries.ts";

/** How many members to look at in one transaction. */
const BATCH = 100;
const MINUTE_MS = 60_000;
/** How long an email is worth sending, in milliseconds. */
const LIFETIME_MS = 24 * 60 * MINUTE_MS;

/**
 * The minutes before a check that are examined, and how many of them must be good. Nodes that could not be heard retry
 * within five minutes. The latest minutes may not be recorded yet.
 */
const WATCHED = { from: 17, to: 2, good: 10 };

/**
 * Looks at the nodes that are due, one batch at most, and queues the emails about silent ones. Each look, its email and
 * the time of the next check are one transaction, so each silence is emailed once. Asks to run again if there may be
 * more. After an outage on our side, whatever its cause, looks at nobody until their nodes had time to come back.
 */
export async function checkForSilence(
  deps: Pick<Deps, "db" | "env" | "mailed" | "now" | "outbox">,
): Promise<Again | void> {
  const now = deps.now();
  if (!(await wereHeartbeatsReceived(deps.db, now))) return;
  const intervalMs = deps.env.heartbeatIntervalSeconds * 1000;
  await bringForward(deps.db, { now, latest: latestCheck({ now, intervalMs }) });
  const checked = await inTransaction(deps.db, async (tx) => {
    const due = await lockDueChecks(tx, { now, limit: BATCH });
    for (const { userId, email, ...watched } of due) {
      const { mail, ...check } = decideCheck(watched, { now, intervalMs });
      const content = mail && (await writeEmail(tx, deps, { ...mail, userId, email, now }));
      if (content) await deps.outbox.post(tx, content, new Date(now.getTime() + LIFETIME_MS));
      await saveCheck(tx, { userId, ...check });
    }
    return due.length;
  });
  if (checked === BATCH) return { again: 0 };
}

/** Whether heartbeats have been received lately, according to the processes that receive them. */
async function wereHeartbeatsReceived(db: Db, now: Date): Promise<boolean> {
  const before = (minutes: number) => new Date(now.getTime() - minutes * MINUTE_MS);
  const span = { since: before(WATCHED.from), until: before(WATCHED.to) };
  return (await countMinutesUp(db, { part: "heartbeats", ...span })) >= WATCHED.good;
}

type Notice = { kind: "silent" | "back"; since: Date; userId: string; email: string; now: Date };

async function writeEmail(
  tx: Tx,
  deps: Pick<Deps, "env" | "mailed">,
  { kind, since, userId, email, now }: Notice,
): Promise<EmailContent> {
  const silence = { code: createUnsubscribeCode(deps, "silenceLink", userId), since };
  if (kind === "back") return emails.nodeBack(email, silence);
  const slotAt = slotOf(since, deps.env.heartbeatIntervalSeconds);
  const machine = await findMachine(tx, { userId, slotAt });
  return emails.nodeSilent(email, { ...silence, machine, lasted: now.getTime() - since.getTime() });
}
