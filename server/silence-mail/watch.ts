import type { Tx } from "../db/client.ts";
import { inTransaction } from "../db/transaction.ts";
import type { Deps } from "../deps.ts";
import { slotOf } from "../heartbeats/beat-window.ts";
import type { Again } from "../jobs/job.ts";
import type { Letter } from "../mail/letter.ts";
import { decideLook } from "./decide-look.ts";
import * as letters from "./letters.ts";
import { findMachine, saveLook, takeDue } from "./queries.ts";
import { createUnsubscribeCode } from "../mailed-code/unsubscribe-code.ts";

/** Members in one transaction. */
const BATCH = 100;
/** For so long a mail is news, in milliseconds. */
const LIFETIME_MS = 24 * 60 * 60 * 1000;

/**
 * Looks at the nodes that are due, a batch at most, and leaves the mails for those that are silent. A look, what it
 * says and when the next one is are one transaction: each silence is mailed once. Where there may be more it goes on.
 */
export async function lookForSilence(
  deps: Pick<Deps, "db" | "env" | "mailed" | "now" | "outbox">,
): Promise<Again | void> {
  const now = deps.now();
  const intervalMs = deps.env.heartbeatIntervalSeconds * 1000;
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
