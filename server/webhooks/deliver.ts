import { WEBHOOK } from "../announcements/announce.ts";
import { inTransaction } from "../db/transaction.ts";
import type { Deps } from "../deps.ts";
import type { Again, Job, JobKind } from "../jobs/job.ts";
import { holdLease } from "../jobs/queries.ts";
import { findWaiting, updateDelivery, type DeliveryKey } from "./outgoing.queries.ts";
import { send, type Answer, type Sending } from "./send.ts";
import { readWebhookKey, signMessage } from "./signature.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** How long is waited after each attempt that failed: three days in all. */
export const WAITS = [
  10_000,
  MINUTE,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR,
];

/** Of one endpoint that a process has in hand: one that hangs keeps others waiting no longer than for these. */
const OF_ONE = 4;
const TURN_MS = 1_000;

type DeliveryDeps = Pick<Deps, "db" | "log" | "metrics" | "now" | "outgoing">;
type Waiting = NonNullable<Awaited<ReturnType<typeof findWaiting>>>;

/**
 * Tells endpoints of what has happened. Each is told at least once: who dies between sending and noting it sends it
 * again, under the same id.
 */
export function createWebhookDelivery(
  deps: DeliveryDeps,
  given: Partial<Sending> = {},
): Record<typeof WEBHOOK, JobKind> {
  const inHand = new Map<string, number>();
  const sending = { toPrivate: deps.outgoing.toPrivate, ...given };

  async function inTurn(endpointId: string, work: () => Promise<Again | void>): Promise<Again | void> {
    const others = inHand.get(endpointId) ?? 0;
    if (others >= OF_ONE) return { again: TURN_MS };
    inHand.set(endpointId, others + 1);
    try {
      return await work();
    } finally {
      const left = (inHand.get(endpointId) ?? 1) - 1;
      if (left > 0) inHand.set(endpointId, left);
      else inHand.delete(endpointId);
    }
  }

  return {
    [WEBHOOK]: {
      atOnce: 20,
      lease: MINUTE,
      backOff: { first: 5_000, longest: HOUR },
      run(job) {
        const [endpointId = "", eventId = ""] = job.key.split(" ");
        return inTurn(endpointId, async () => {
          const waiting = await findWaiting(deps.db, { endpointId, eventId });
          return waiting && tell(deps, job, { waiting, sending });
        });
      },
    },
  };
}

async function tell(deps: DeliveryDeps, job: Job, { sending, waiting }: { waiting: Waiting; sending: Sending }) {
  const { delivery, endpoint, event } = waiting;
  const body = JSON.stringify({ type: event.type, timestamp: event.at.toISOString(), data: event.data });
  const signed = signMessage(openKeys(deps, endpoint), { id: event.id, text: body }, deps.now());
  const headers = { ...signed, "Content-Type": "application/json", "User-Agent": "Nodebeat-Webhooks/1" };
  const answer = await send({ url: endpoint.url, headers, body }, sending);
  return note(deps, job, { answer, key: delivery, attempts: delivery.attempts + 1 });
}

/** The keys that sign now. Throws where they were sealed with another session secret: it is tried again later. */
function openKeys({ now, outgoing }: DeliveryDeps, endpoint: Waiting["endpoint"]): Buffer[] {
  const { id, previousSecret, previousUntil, secret } = endpoint;
  const both = previousSecret && previousUntil && previousUntil > now() ? [secret, previousSecret] : [secret];
  return both.map((sealed) => {
    const key = readWebhookKey(outgoing.seal.open(id, sealed).trimEnd());
    if (!key) throw new Error("a webhook's secret is none");
    return key;
  });
}

type Attempt = { answer: Answer; attempts: number; key: DeliveryKey };

/** Writes down what came of an attempt, unless it is another process's by now. */
async function note({ db, log, metrics, now }: DeliveryDeps, job: Job, { answer, attempts, key }: Attempt) {
  const at = now();
  const isDelivered = answer.status !== null && answer.status >= 200 && answer.status < 300;
  const wait = answer.status === GONE ? undefined : WAITS[attempts - 1];
  const isOver = !isDelivered && wait === undefined;
  await inTransaction(db, async (tx) => {
    await holdLease(tx, job);
    await updateDelivery(tx, key, {
      attempts,
      lastAt: at,
      lastStatus: answer.status,
      lastError: isDelivered ? null : describe(answer),
      ...(isDelivered && { deliveredAt: at }),
      ...(isOver && { givenUpAt: at }),
    });
  });
  metrics.countDelivery(isDelivered ? "delivered" : isOver ? "given_up" : "failed");
  const line = { endpoint: key.endpointId, event: key.eventId, attempts, status: answer.status };
  if (isDelivered) return log.debug(line, "an endpoint was told");
  if (wait === undefined) return log.warn(line, "an endpoint could not be told: it is given up");
  log.warn({ ...line, retryInMs: wait }, "an endpoint could not be told: it is tried again");
  return { again: spread(wait) };
}

/** Nobody is there any more, and nobody will be. */
const GONE = 410;

/** In the upper half of the wait, so that what failed together parts. */
const spread = (wait: number) => Math.round(wait * (1 - Math.random() / 2));

function describe(answer: Answer): string {
  if (answer.status === null) return answer.problem;
  const isRedirect = answer.status >= 300 && answer.status < 400;
  return `It answered ${answer.status}${isRedirect ? ": redirects are not followed" : ""}.`;
}
