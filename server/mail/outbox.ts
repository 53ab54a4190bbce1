import { createHmac, createSecretKey, hkdfSync } from "node:crypto";
import { uuidv7 } from "uuidv7";
import type { Tx } from "../db/client.ts";
import { afterCommit } from "../db/transaction.ts";
import { enqueue } from "../jobs/queries.ts";
import type { Metrics } from "../metrics/metrics.ts";
import { createSeal } from "../secrets/seal.ts";
import type { Waker } from "../jobs/waker.ts";
import { emailKey } from "./email-key.ts";
import type { Letter } from "./letter.ts";

/** The kind of job that a mail is. */
export const MAIL = "mail";

export type Outbox = ReturnType<typeof createOutbox>;

/** What happened to an account is worth telling for a week. */
const NOTICE_LIFETIME_MS = 7 * 24 * 60 * 60 * 1000;

type OutboxOptions = { secret: string; now: () => Date; jobs: Waker; metrics: Metrics };

/** Where services leave letters. They are delivered later, so that no reply waits for a mail server. */
export function createOutbox({ secret, now, jobs, metrics }: OutboxOptions) {
  const seal = createSeal(secret, "mail queue");
  const key = createSecretKey(Buffer.from(hkdfSync("sha256", secret, "", "nodebeat mail recipients", 32)));
  /** Of whose address a letter goes to: by it letters are found without opening all of them. */
  const hashRecipient = (address: string) => createHmac("sha256", key).update(emailKey(address)).digest();

  return {
    hashRecipient,
    /** Queues a letter in the transaction that causes it: both happen or neither. After `expiresAt` it is worthless. */
    async post(tx: Tx, letter: Letter, expiresAt = new Date(now().getTime() + NOTICE_LIFETIME_MS)) {
      const key = uuidv7();
      const payload = seal.seal(key, JSON.stringify(letter));
      const recipient = hashRecipient(letter.to);
      await enqueue(tx, { kind: MAIL, key, payload, recipient, dueAt: now(), expiresAt });
      // So that the delivery in this process does not sleep on.
      afterCommit(jobs.wake);
      afterCommit(() => metrics.countMail("queued"));
    },
    /** A letter that was queued; undefined where the session secret has changed since: nobody can read it any more. */
    open(id: string, sealed: Buffer): Letter | undefined {
      try {
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the seal shows that the outbox wrote it
        return JSON.parse(seal.open(id, sealed)) as Letter;
      } catch {
        return undefined;
      }
    },
  };
}
