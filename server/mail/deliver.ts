import type { mailQueue } from "../db/schema.ts";
import type { Deps } from "../deps.ts";
import type { Letter } from "./letter.ts";
import { deleteExpiredMail, deleteMail, postponeMail, takeDue } from "./queries.ts";
import { renderMail } from "./render.ts";
import { MailRefused, type MailTransport } from "./transport.ts";

export type DeliveryDeps = Pick<Deps, "db" | "log" | "now" | "outbox">;
export type Delivery = {
  transport: MailTransport;
  /** Where the links of the mails lead, without a path. */
  origin: string;
};

type Queued = typeof mailQueue.$inferSelect;

const BATCH = 10;
/** For this long a mail is the taker's: longer than any attempt takes. Whoever dies with it delays it by as much. */
const TAKEN_MS = 2 * 60 * 1000;
/** Milliseconds until the next attempt, by attempts made; the last one goes on. */
const BACK_OFF = [10_000, 30_000, 2 * 60_000, 10 * 60_000, 30 * 60_000];
const PRUNE_LIMIT = 5000;

/**
 * Sends what is due, a batch at most. Returns how many were taken. A mail leaves at least once: who dies between
 * sending and noting it sends it again, with the same id and the same words.
 */
export async function deliverDue(deps: DeliveryDeps, delivery: Delivery): Promise<number> {
  const now = deps.now();
  const until = new Date(now.getTime() + TAKEN_MS);
  const taken = await takeDue(deps.db, { now, until, limit: BATCH });
  await Promise.all(taken.map((queued) => deliver(deps, delivery, queued)));
  return taken.length;
}

async function deliver(deps: DeliveryDeps, { origin, transport }: Delivery, queued: Queued): Promise<void> {
  const { db, log } = deps;
  const { id, attempts } = queued;
  if (queued.expiresAt <= deps.now()) {
    log.error({ mail: id, attempts }, "a mail could not be delivered in time");
    return deleteMail(db, id);
  }
  const letter = openLetter(deps, queued);
  if (!letter) return deleteMail(db, id);
  try {
    await transport.send(renderMail(id, letter, origin));
  } catch (error) {
    return handleFailure(deps, queued, error);
  }
  await deleteMail(db, id);
  log.debug({ mail: id, attempts }, "mail delivered");
}

/** Undefined when the session secret has changed since: nobody can read the letter any more. */
function openLetter({ log, outbox }: DeliveryDeps, { id, sealed }: Queued): Letter | undefined {
  try {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the seal shows that the outbox wrote it
    return JSON.parse(outbox.open(id, sealed)) as Letter;
  } catch (error) {
    log.error({ err: error, mail: id }, "a mail cannot be opened: was it queued with another SESSION_SECRET?");
    return undefined;
  }
}

async function handleFailure({ db, log, now }: DeliveryDeps, { id, attempts }: Queued, error: unknown) {
  if (error instanceof MailRefused) {
    log.warn({ err: error, mail: id }, "a mail was refused for good");
    return deleteMail(db, id);
  }
  const wait = BACK_OFF[Math.min(attempts, BACK_OFF.length) - 1] ?? 0;
  log.warn({ err: error, mail: id, attempts, retryInMs: wait }, "a mail could not be sent yet");
  await postponeMail(db, { id, attempts, dueAt: new Date(now().getTime() + wait) });
}

/** Removes mail that nobody delivered in time, a bounded number; returns how many. */
export const pruneMail = ({ db, now }: Pick<Deps, "db" | "now">): Promise<number> =>
  deleteExpiredMail(db, { before: now(), limit: PRUNE_LIMIT });
