import { uuidv7 } from "uuidv7";
import type { Tx } from "../db/client.ts";
import { afterCommit } from "../db/transaction.ts";
import { dueAtOnce, enqueue } from "../jobs/queries.ts";
import type { Metrics } from "../metrics/metrics.ts";
import type { Secrets } from "../secrets/secrets.ts";
import type { Waker } from "../jobs/waker.ts";
import type { Letter } from "./letter.ts";
import { createLetterSeal } from "./letter-seal.ts";
import { deleteLetters, lockFreeLetters, lockLetters, MAIL, replaceLetter } from "./outbox.queries.ts";

export type Outbox = ReturnType<typeof createOutbox>;

/** How long a notice is worth sending: what happened to an account matters for a week. */
const NOTICE_LIFETIME_MS = 7 * 24 * 60 * 60 * 1000;

type OutboxOptions = { secrets: Secrets; now: () => Date; jobs: Waker; metrics: Metrics };

/**
 * Creates the outbox, where services leave letters. They are delivered later, so that no response waits for a mail
 * server.
 */
export function createOutbox({ secrets, now, jobs, metrics }: OutboxOptions) {
  const { close, listRecipientHashes, open } = createLetterSeal(secrets);

  /**
   * Deletes unsent letters to the same address about the same matter. If a mail server postpones letters, an old one
   * could arrive last, and one that was given up can be retried. A letter that is being sent may still arrive, but is
   * not retried. Skips rows that are locked instead of waiting for them.
   */
  async function removeOvertaken(tx: Tx, { matter, of, to }: Letter) {
    const waiting = await lockFreeLetters(tx, listRecipientHashes(of ?? to));
    const overtaken = waiting.filter(({ key, payload }) => payload && open(key, payload)?.matter === matter);
    if (overtaken.length === 0) return;
    await deleteLetters(
      tx,
      overtaken.map(({ key }) => key),
    );
  }

  return {
    listRecipientHashes,
    /**
     * Queues a letter in the transaction that causes it: both happen or neither. After `expiresAt` the letter is
     * worthless. Removes an older letter about the same matter.
     */
    async post(tx: Tx, letter: Letter, expiresAt = new Date(now().getTime() + NOTICE_LIFETIME_MS)) {
      if (letter.matter !== undefined) await removeOvertaken(tx, letter);
      const key = uuidv7();
      await enqueue(tx, { kind: MAIL, key, ...close(key, letter), dueAt: dueAtOnce(now()), expiresAt });
      // Wakes the delivery in this process.
      afterCommit(jobs.wake);
      afterCommit(() => metrics.countMail("queued"));
    },
    /**
     * Makes letters that wait for a former address findable by the member's current one, so that they are deleted with
     * the account.
     */
    async follow(tx: Tx, { from, to }: { from: string; to: string }) {
      for (const { key, payload } of await lockLetters(tx, listRecipientHashes(from))) {
        const letter = payload && open(key, payload);
        if (letter) await replaceLetter(tx, key, close(key, { ...letter, of: to }));
      }
    },
    /** Opens a queued letter. Returns undefined if its secret is gone. */
    open,
  };
}
