import type { Tx } from "../db/client.ts";
import { inTransaction } from "../db/transaction.ts";
import type { Deps } from "../deps.ts";
import type { Job } from "../jobs/job.ts";
import { lockLease } from "../jobs/queries.ts";
import { addJitter } from "../jobs/run-job.ts";
import { updateDelivery, type DeliveryKey, type Waiting } from "./outgoing.queries.ts";
import { send, type DeliveryResponse, type Sending } from "./send.ts";
import { readWebhookKey, signMessage } from "./signature.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** The longest wait after each failed attempt, in milliseconds: about three days in all. */
export const RETRY_DELAYS_MS = [
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

export type DeliveryDeps = Pick<Deps, "db" | "log" | "metrics" | "now" | "outgoing">;

type MessageDelivery = {
  waiting: Waiting;
  sending: Sending;
  /** Queues the retry of a failed attempt, `wait` milliseconds later, in the transaction that records the attempt. */
  scheduleRetry?: (tx: Tx, wait: number) => Promise<void>;
};

/**
 * Sends a message and records the outcome, unless another process has taken over the job. Returns after how many
 * milliseconds to retry, or undefined if nothing is left to do.
 */
export async function deliverMessage(
  deps: DeliveryDeps,
  job: Job,
  { sending, waiting, scheduleRetry }: MessageDelivery,
) {
  const { delivery, endpoint, event } = waiting;
  const body = JSON.stringify({ type: event.type, timestamp: event.at.toISOString(), data: event.data });
  const keys = await openKeysOrFail(deps, job, waiting);
  const signed = signMessage(keys, { id: event.id, text: body }, deps.now());
  const headers = { ...signed, "Content-Type": "application/json", "User-Agent": "Nodebeat-Webhooks/1" };
  const response = await send({ url: endpoint.url, headers, body }, sending);
  return note(deps, job, { response, key: delivery, attempts: delivery.attempts + 1, scheduleRetry });
}

/**
 * Returns the keys that sign now. If they cannot be read, notes this in the delivery and fails the job, which is
 * retried later.
 */
async function openKeysOrFail(deps: DeliveryDeps, job: Job, { delivery, endpoint }: Waiting): Promise<Buffer[]> {
  try {
    return openKeys(deps, endpoint);
  } catch {
    await inTransaction(deps.db, (tx) => recordOutcome(tx, job, { key: delivery, change: { lastError: UNREADABLE } }));
    // The cipher's own error would not help anyone who reads the queue or the log.
    throw new Error(UNREADABLE);
  }
}

type Writing = { key: DeliveryKey; change: Parameters<typeof updateDelivery>[2] };

/**
 * Updates the delivery, then checks the job's lease: a replay locks them in the same order. Rolls everything back if
 * another process has taken over the job. Returns false for a delivery that has ended in the meantime.
 */
async function recordOutcome(tx: Tx, job: Job, { key, change }: Writing): Promise<boolean> {
  const isWaiting = await updateDelivery(tx, key, change);
  await lockLease(tx, job);
  return isWaiting;
}

const UNREADABLE = "Not sent: this webhook's secret cannot be read. Rotate it.";

/** Throws if the secret was sealed with another session secret. Skips a previous secret that was. */
function openKeys({ now, outgoing: { seal } }: DeliveryDeps, endpoint: Waiting["endpoint"]): Buffer[] {
  const { id, previousSecret, previousUntil, secret } = endpoint;
  const isBoth =
    previousSecret && previousUntil && previousUntil > now() && seal.whose(id, previousSecret) !== undefined;
  const sealed = isBoth ? [secret, previousSecret] : [secret];
  return sealed.map((each) => {
    const key = readWebhookKey(seal.open(id, each).trimEnd());
    if (!key) throw new Error("a webhook's secret is none");
    return key;
  });
}

type Attempt = {
  response: DeliveryResponse;
  attempts: number;
  key: DeliveryKey;
  scheduleRetry: MessageDelivery["scheduleRetry"];
};

async function note(
  { db, log, metrics, now }: DeliveryDeps,
  job: Job,
  { response, attempts, key, scheduleRetry }: Attempt,
) {
  const at = now();
  const isDelivered = response.status !== null && response.status >= 200 && response.status < 300;
  const longest = isDelivered || response.status === GONE ? undefined : RETRY_DELAYS_MS[attempts - 1];
  const wait = longest && addJitter(longest);
  const isGivenUp = !isDelivered && wait === undefined;
  const change = {
    attempts,
    lastAt: at,
    lastStatus: response.status,
    lastError: isDelivered ? null : describe(response),
    ...(isDelivered && { deliveredAt: at }),
    ...(isGivenUp && { givenUpAt: at }),
  };
  const isNoted = await inTransaction(db, async (tx) => {
    const isWaiting = await recordOutcome(tx, job, { key, change });
    if (isWaiting && wait !== undefined) await scheduleRetry?.(tx, wait);
    return isWaiting;
  });
  if (!isNoted) return undefined;
  metrics.countDelivery(isDelivered ? "delivered" : isGivenUp ? "given_up" : "failed");
  const line = { endpoint: key.endpointId, event: key.eventId, attempts, status: response.status };
  if (isDelivered) log.debug(line, "an endpoint was told");
  else if (isGivenUp) log.warn(line, "a webhook message could not be sent: it is given up");
  else log.warn({ ...line, retryInMs: wait }, "a webhook message could not be sent: it is tried again");
  return wait;
}

/** Status 410: the receiver is gone for good. */
const GONE = 410;

function describe(response: DeliveryResponse): string {
  if (response.status === null) return response.problem;
  const isRedirect = response.status >= 300 && response.status < 400;
  return `It answered ${response.status}${isRedirect ? ": redirects are not followed" : ""}.`;
}
