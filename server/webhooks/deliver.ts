import { WEBHOOK } from "../announcements/announce.queries.ts";
import type { Again, Job, JobKind } from "../jobs/job.ts";
import { enqueue } from "../jobs/queries.ts";
import { endBacklog, holdMessage } from "./backlog.ts";
import { findHeld, WEBHOOK_BACKLOG } from "./backlog.queries.ts";
import { findWaiting } from "./outgoing.queries.ts";
import type { Sending } from "./send.ts";
import { deliverMessage, RETRY_DELAYS_MS, type DeliveryDeps } from "./deliver-message.ts";

const MINUTE = 60_000;

/** The most messages that a process sends at once. They cost little while they wait for an answer. */
const AT_ONCE = 100;
/** The same to one endpoint, so that endpoints that hang hold up the others only if there are 25 of them. */
const OF_ONE = 4;

const PACE = { lease: MINUTE, backOff: { first: 5_000, longest: 60 * MINUTE } };

/**
 * Creates the kinds of job that send events to endpoints. Delivery is at least once: if a process dies between sending
 * a message and recording it, the message is sent again under the same id.
 */
export function createWebhookDelivery(
  deps: DeliveryDeps,
  given: Partial<Sending> = {},
): Record<typeof WEBHOOK | typeof WEBHOOK_BACKLOG, JobKind> {
  const sending = { toPrivate: deps.outgoing.toPrivate, ...given };
  return {
    [WEBHOOK]: {
      ...PACE,
      atOnce: AT_ONCE,
      atOncePerFirstWord: OF_ONE,
      longestWait: Math.max(...RETRY_DELAYS_MS),
      async run(job) {
        const [endpointId = "", eventId = ""] = job.key.split(" ");
        const waiting = await findWaiting(deps.db, { endpointId, eventId });
        if (!waiting) return;
        if (waiting.endpoint.pausedAt) return holdMessage(deps, job, endpointId);
        const wait = await deliverMessage(deps, job, { waiting, sending });
        if (wait !== undefined) return { again: wait };
      },
    },
    [WEBHOOK_BACKLOG]: { ...PACE, atOnce: AT_ONCE / OF_ONE, run: (job) => sendNextHeld(deps, job, sending) },
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
