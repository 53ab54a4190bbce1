import { uuidv7 } from "uuidv7";
import type { Tx } from "../db/client.ts";
import { afterCommit } from "../db/transaction.ts";
import { dueAtOnce, enqueue } from "../jobs/queries.ts";
import type { Metrics } from "../metrics/metrics.ts";
import type { Secrets } from "../secrets/secrets.ts";
import type { Waker } from "../jobs/waker.ts";
import type { EmailContent } from "./email.ts";
import { createEmailSeal } from "./email-seal.ts";
import { deleteEmails, lockAvailableEmails, lockEmails, MAIL, replaceEmail } from "./outbox.queries.ts";

export type Outbox = ReturnType<typeof createOutbox>;

/** How long a notice is worth sending: what happened to an account matters for a week. */
const NOTICE_LIFETIME_MS = 7 * 24 * 60 * 60 * 1000;

type OutboxOptions = { secrets: Secrets; now: () => Date; jobs: Waker; metrics: Metrics };

/**
 * Creates the outbox, where services leave emails. They are delivered later, so that no response waits for a mail
 * server.
 */
export function createOutbox({ secrets, now, jobs, metrics }: OutboxOptions) {
  const { close, listRecipientHashes, open } = createEmailSeal(secrets);

  /**
   * Deletes unsent emails to the same address about the same matter. If a mail server postpones emails, an old one
   * could arrive last, and one that was given up can be retried. An email that is being sent may still arrive, but is
   * not retried. Skips rows that are locked instead of waiting for them.
   */
  async function removeSuperseded(tx: Tx, { matter, of, to }: EmailContent) {
    const waiting = await lockAvailableEmails(tx, listRecipientHashes(of ?? to));
    const superseded = waiting.filter(({ key, payload }) => payload && open(key, payload)?.matter === matter);
    if (superseded.length === 0) return;
    await deleteEmails(
      tx,
      superseded.map(({ key }) => key),
    );
  }

  return {
    listRecipientHashes,
    /**
     * Queues an email in the transaction that causes it: both happen or neither. After `expiresAt` the email is
     * worthless. Removes an older email about the same matter.
     */
    async post(tx: Tx, email: EmailContent, expiresAt = new Date(now().getTime() + NOTICE_LIFETIME_MS)) {
      if (email.matter !== undefined) await removeSuperseded(tx, email);
      const key = uuidv7();
      await enqueue(tx, { kind: MAIL, key, ...close(key, email), dueAt: dueAtOnce(now()), expiresAt });
      // Wakes the delivery in this process.
      afterCommit(jobs.wake);
      afterCommit(() => metrics.countMail("queued"));
    },
    /**
     * Makes emails that wait for a former address findable by the member's current one, so that they are deleted with
     * the account.
     */
    async follow(tx: Tx, { from, to }: { from: string; to: string }) {
      for (const { key, payload } of await lockEmails(tx, listRecipientHashes(from))) {
        const email = payload && open(key, payload);
        if (email) await replaceEmail(tx, key, close(key, { ...email, of: to }));
      }
    },
    /** Opens a queued email. Returns undefined if its secret is gone. */
    open,
  };
}
