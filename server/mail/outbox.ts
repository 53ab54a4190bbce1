import { and, eq, inArray } from "drizzle-orm";
import { uuidv7 } from "uuidv7";
import type { Tx } from "../db/client.ts";
import { backgroundJobs } from "../db/schema.ts";
import { afterCommit } from "../db/transaction.ts";
import { dueAtOnce, enqueue } from "../jobs/queries.ts";
import type { Metrics } from "../metrics/metrics.ts";
import type { Secrets } from "../secrets/secrets.ts";
import type { Waker } from "../jobs/waker.ts";
import type { Letter } from "./letter.ts";
import { createLetterSeal } from "./letter-seal.ts";

/** The kind of job that a mail is. */
export const MAIL = "mail";

export type Outbox = ReturnType<typeof createOutbox>;

/** What happened to an account is worth telling for a week. */
const NOTICE_LIFETIME_MS = 7 * 24 * 60 * 60 * 1000;

type OutboxOptions = { secrets: Secrets; now: () => Date; jobs: Waker; metrics: Metrics };

/** Where services leave letters. They are delivered later, so that no reply waits for a mail server. */
export function createOutbox({ secrets, now, jobs, metrics }: OutboxOptions) {
  const { close, listRecipientHashes, open } = createLetterSeal(secrets);

  /**
   * Removes what has not been sent to the same address about the same matter: where a mail server puts letters off, it
   * could come last, and what was given up can be tried again. One that is being sent may still arrive, but is not tried
   * again. Nobody waits for a row that somebody else is writing.
   */
  async function removeOvertaken(tx: Tx, { matter, of, to }: Letter) {
    const waits = inArray(backgroundJobs.recipient, listRecipientHashes(of ?? to));
    const waiting = await tx.select().from(backgroundJobs).where(waits).for("update", { skipLocked: true });
    const overtaken = waiting.filter(({ key, payload }) => payload && open(key, payload)?.matter === matter);
    if (overtaken.length === 0) return;
    const keys = overtaken.map(({ key }) => key);
    await tx.delete(backgroundJobs).where(and(eq(backgroundJobs.kind, MAIL), inArray(backgroundJobs.key, keys)));
  }

  return {
    listRecipientHashes,
    /**
     * Queues a letter in the transaction that causes it: both happen or neither. After `expiresAt` it is worthless. An
     * older one about the same matter goes.
     */
    async post(tx: Tx, letter: Letter, expiresAt = new Date(now().getTime() + NOTICE_LIFETIME_MS)) {
      if (letter.matter !== undefined) await removeOvertaken(tx, letter);
      const key = uuidv7();
      await enqueue(tx, { kind: MAIL, key, ...close(key, letter), dueAt: dueAtOnce(now()), expiresAt });
      // So that the delivery in this process does not sleep on.
      afterCommit(jobs.wake);
      afterCommit(() => metrics.countMail("queued"));
    },
    /** Lets letters that wait for an address be found by the one that its member has now: they go with the account. */
    async follow(tx: Tx, { from, to }: { from: string; to: string }) {
      const isFormer = inArray(backgroundJobs.recipient, listRecipientHashes(from));
      for (const { key, payload } of await tx.select().from(backgroundJobs).where(isFormer).for("update")) {
        const letter = payload && open(key, payload);
        if (!letter) continue;
        const isIt = and(eq(backgroundJobs.kind, MAIL), eq(backgroundJobs.key, key));
        await tx
          .update(backgroundJobs)
          .set(close(key, { ...letter, of: to }))
          .where(isIt);
      }
    },
    /** A letter that was queued; undefined for one whose secret is gone. */
    open,
  };
}
