import { uuidv7 } from "uuidv7";
import type { Tx } from "../db/client.ts";
import { createSeal, type Seal } from "../seal.ts";
import { createWaker } from "../waker.ts";
import type { Letter } from "./letter.ts";
import { insertMail } from "./queries.ts";

/** Where services leave letters. They are delivered later, so that no reply waits for a mail server. */
export type Outbox = {
  /** Queues a letter in the transaction that causes it: both happen or neither. After `expiresAt` it is worthless. */
  post(tx: Tx, letter: Letter, expiresAt: Date): Promise<void>;
  /** Says that something was committed, so that the delivery in this process does not sleep on. */
  wake(): void;
  /** Resolves at the next wake, or when the time is over or the signal is given. */
  waitForPost(milliseconds: number, signal: AbortSignal): Promise<void>;
  open: Seal["open"];
};

export function createOutbox({ secret, now }: { secret: string; now: () => Date }): Outbox {
  const seal = createSeal(secret, "mail queue");
  const waker = createWaker();

  return {
    open: seal.open,
    async post(tx, letter, expiresAt) {
      const id = uuidv7();
      await insertMail(tx, { id, sealed: seal.seal(id, JSON.stringify(letter)), dueAt: now(), expiresAt });
    },
    wake: waker.wake,
    waitForPost: waker.wait,
  };
}
