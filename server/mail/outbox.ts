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
      for (const { key, payload } of await lockLetters(tx, listRecipientHashes(from))) {
        const letter = payload && open(key, payload);
        if (letter) await replaceLetter(tx, key, close(key, { ...letter, of: to }));
      }
    },
    /** A letter that was queued; undefined for one whose secret is gone. */
    open,
  };
}
