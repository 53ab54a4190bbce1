import { setTimeout as wait } from "node:timers/promises";
import type { Tx } from "../db/client.ts";
import { inTransaction } from "../db/transaction.ts";
import type { Deps } from "../deps.ts";
import { slotOf } from "../heartbeats/beat-window.ts";
import type { Letter } from "../mail/letter.ts";
import { decideLook } from "./decide-look.ts";
import * as letters from "./letters.ts";
import { findMachine, saveLook, takeDue } from "./queries.ts";
import { createCode } from "./service.ts";

/** Milliseconds between two times of looking for silent nodes. */
const EVERY_MS = 60_000;
/** Members in one transaction. */
const BATCH = 100;
/** For so long a mail is news, in milliseconds. */
const LIFETIME_MS = 24 * 60 * 60 * 1000;

type WatchDeps = Pick<Deps, "db" | "env" | "log" | "mailed" | "now" | "outbox">;

/**
 * Looks for silent nodes for as long as the process runs, beside any number of other processes. Returns its end, which
 * waits for what is being written. Where another backend has the heartbeats or the mail, there is nothing to look for.
 */
export function startSilenceWatch(deps: WatchDeps): () => Promise<void> {
  if (deps.env.apiUrl || deps.env.authApiUrl) return async () => {};
  const stopping = new AbortController();
  const ended = watchUntil(stopping.signal, deps);
  return async () => {
    stopping.abort();
    await ended;
  };
}

async function watchUntil(signal: AbortSignal, deps: WatchDeps): Promise<void> {
  while (!signal.aborted) {
    const looked = await lookForSilence(deps).catch((error: unknown) => {
      deps.log.warn({ err: error }, "silent nodes could not be looked for");
      return 0;
    });
    // The wait ends early by the signal alone.
    if (looked < BATCH) await wait(EVERY_MS, undefined, { signal }).catch(() => {});
  }
}

/**
 * Looks at the nodes that are due, a batch at most, and leaves the mails for those that are silent. A look, what it
 * says and when the next one is are one transaction: each silence is mailed once. Returns how many were looked at.
 */
export async function lookForSilence(deps: Pick<Deps, "db" | "env" | "mailed" | "now" | "outbox">): Promise<number> {
  const now = deps.now();
  const { looked, posted } = await inTransaction(deps.db, async (tx) => {
    const due = await takeDue(tx, { now, limit: BATCH });
    let posted = 0;
    for (const { userId, email, ...watched } of due) {
      const { mail, ...look } = decideLook(watched, now);
      const letter = mail && (await writeLetter(tx, deps, { ...mail, userId, email, now }));
      if (letter) await deps.outbox.post(tx, letter, new Date(now.getTime() + LIFETIME_MS));
      if (letter) posted += 1;
      await saveLook(tx, { userId, ...look });
    }
    return { looked: due.length, posted };
  });
  if (posted > 0) deps.outbox.wake();
  return looked;
}

type Telling = { kind: "silent" | "back"; since: Date; userId: string; email: string; now: Date };

async function writeLetter(
  tx: Tx,
  deps: Pick<Deps, "env" | "mailed">,
  { kind, since, userId, email, now }: Telling,
): Promise<Letter> {
  const silence = { code: createCode(deps, userId), since };
  if (kind === "back") return letters.nodeBack(email, silence);
  const slotAt = slotOf(since, deps.env.heartbeatIntervalSeconds);
  const machine = await findMachine(tx, { userId, slotAt });
  return letters.nodeSilent(email, { ...silence, machine, lasted: now.getTime() - since.getTime() });
}
