import { createHmac, type KeyObject } from "node:crypto";
import { uuidv7 } from "uuidv7";
import type { Tx } from "../db/client.ts";
import { afterCommit } from "../db/transaction.ts";
import { enqueue } from "../jobs/queries.ts";
import type { Metrics } from "../metrics/metrics.ts";
import { createSeal } from "../secrets/seal.ts";
import { deriveKeys, type Secrets } from "../secrets/secrets.ts";
import type { Waker } from "../jobs/waker.ts";
import { emailKey } from "./email-key.ts";
import type { Letter } from "./letter.ts";

/** The kind of job that a mail is. */
export const MAIL = "mail";

export type Outbox = ReturnType<typeof createOutbox>;

/** What happened to an account is worth telling for a week. */
const NOTICE_LIFETIME_MS = 7 * 24 * 60 * 60 * 1000;

type OutboxOptions = { secrets: Secrets; now: () => Date; jobs: Waker; metrics: Metrics };

/** Where services leave letters. They are delivered later, so that no reply waits for a mail server. */
export function createOutbox({ secrets, now, jobs, metrics }: OutboxOptions) {
  const seal = createSeal(secrets, "mail queue");
  const keys = deriveKeys(secrets, "mail recipients");
  const [recipientKey] = keys;
  const hash = (key: KeyObject, address: string) => createHmac("sha256", key).update(emailKey(address)).digest();

  /** A letter that was queued; undefined where its secret is gone: nobody can read it any more. */
  function open(id: string, sealed: Buffer): Letter | undefined {
    try {
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the seal shows that the outbox wrote it
      return JSON.parse(seal.open(id, sealed)) as Letter;
    } catch {
      return undefined;
    }
  }

  return {
    /** Of whose address a letter goes to: by these letters are found without opening all of them. */
    listRecipientHashes: (address: string) => keys.map((key) => hash(key, address)),
    /** Queues a letter in the transaction that causes it: both happen or neither. After `expiresAt` it is worthless. */
    async post(tx: Tx, letter: Letter, expiresAt = new Date(now().getTime() + NOTICE_LIFETIME_MS)) {
      const key = uuidv7();
      const payload = seal.seal(key, JSON.stringify(letter));
      const recipient = hash(recipientKey, letter.to);
      await enqueue(tx, { kind: MAIL, key, payload, recipient, dueAt: now(), expiresAt });
      // So that the delivery in this process does not sleep on.
      afterCommit(jobs.wake);
      afterCommit(() => metrics.countMail("queued"));
    },
    open,
    /** Which secret a letter was queued with, the first being 0; undefined for one that nobody can read. */
    whose: (id: string, sealed: Buffer) => seal.whose(id, sealed),
    /** The same letter as it is queued with the present secret; undefined for one that nobody can read. */
    renew(id: string, sealed: Buffer) {
      const letter = open(id, sealed);
      return letter && { payload: seal.seal(id, JSON.stringify(letter)), recipient: hash(recipientKey, letter.to) };
    },
  };
}
