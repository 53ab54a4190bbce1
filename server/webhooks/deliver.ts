import { WEBHOOK } from "../announcements/announce.queries.ts";
import type { Again, Job, JobKind } from "../jobs/job.ts";
import { enqueue } from "../jobs/queries.ts";
import { endBacklog, holdMessage } from "./backlog.ts";
import { findHeld, WEBHOOK_BACKLOG } from "./backlog.queries.ts";
import { findWaiting } from "./outgoing.queries.ts";
import type { Sending } from "./send.ts";
import { deliverMessage, RETRY_DELAYS_MS, type DeliveryDeps } from "./deliver-message.ts";

const MINUTE = 60_000;

/**
 * The most messages to one endpoint that a process sends at once, so that an endpoint that hangs cannot hold up the
 * others.
 */
const OF_ONE = 4;
const RETRY_MS = 1_000;

const PACE = { lease: MINUTE, backOff: { first: 5_000, longest: 60 * MINUTE } };

/**
 * Creates the kinds of job that send events to endpoints. Delivery is at least once: if a process dies between sending
 * a message and recording it, the message is sent again under the same id.
 */
export function createWebhookDelivery(
  deps: DeliveryDeps,
  given: Partial<Sending> = {},
): Record<typeof WEBHOOK | typeof WEBHOOK_BACKLOG, JobKind> {
  const runIfFree = limitPerEndpoint();
  const sending = { toPrivate: deps.outgoing.toPrivate, ...given };
  return {
    [WEBHOOK]: {
      ...PACE,
      atOnce: 20,
      longestWait: Math.max(...RETRY_DELAYS_MS),
      run(job) {
        const [endpointId = "", eventId = ""] = job.key.split(" ");
        return runIfFree(endpointId, async () => {
          const waiting = await findWaiting(deps.db, { endpointId, eventId });
          if (!waiting) return;
          if (waiting.endpoint.pausedAt) return holdMessage(deps, job, endpointId);
          const wait = await deliverMessage(deps, job, { waiting, sending });
          if (wait !== undefined) return { again: wait };
        });
      },
    },
    [WEBHOOK_BACKLOG]: { ...PACE, atOnce: 10, run: (job) => sendNextHeld(deps, job, sending) },
  };
}

/** Limits how many messages to one endpoint a process sends at once. The others try again later. */
function limitPerEndpoint() {
  const inHand = new Map<string, number>();
  return async function runIfFree(endpointId: string, work: () => Promise<Again | void>): Promise<Again | void> {
    const others = inHand.get(endpointId) ?? 0;
    if (others >= OF_ONE) return { again: RETRY_MS };
    inHand.set(endpointId, others + 1);
    try {
      return await work();
    } finally {
      const left = (inHand.get(endpointId) ?? 1) - 1;
      if (left > 0) inHand.set(endpointId, left);
      else inHand.delete(endpointId);
    }
  };
}

/**
 * Sends the oldest message that a pause held back; the job is done once there is none. One process has the job and
 * sends one message after the other, so they arrive in order. A message that fails is retried on its own and does not
 * hold up the others. The job keeps the last event's id, so that failed messages are not looked at again for each of
 * the others.
 */
async function sendNextHeld(deps: DeliveryDeps, job: Job, sending: Sending): Promise<Again | void> {
  const waiting = await findHeld(deps.db, job.key, job.payload?.toString());
  // Starts from the beginning again if something is left.
  if (!waiting) return (await endBacklog(deps.db, job)) ? undefined : { again: 0, payload: null };
  const { endpointId, eventId } = waiting.delivery;
  await deliverMessage(deps, job, {
    waiting,
    sending,
    scheduleRetry: (tx, wait) =>
      enqueue(tx, { kind: WEBHOOK, key: `${endpointId} ${eventId}`, dueAt: new Date(deps.now().getTime() + wait) }),
  });
  return { again: 0, payload: Buffer.from(eventId) };
}
