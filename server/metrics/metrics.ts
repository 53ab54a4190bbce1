import { Registry } from "prom-client";
import type { ErrorCode } from "../errors.ts";
import { createInstruments, type Instruments } from "./instruments.ts";

/** What one server counts and measures. Each has its own registry, because a process may run several servers. */
export type Metrics = ReturnType<typeof createMetrics>;

/** Creates all of our metrics. */
export function createMetrics() {
  const registry = new Registry();
  const instruments = createInstruments(registry);
  return {
    registry,
    ...measureRequests(instruments),
    ...countEvents(instruments),
    ...gaugeServer(instruments),
    ...gaugeBackgroundWork(instruments),
  };
}

const measureRequests = ({ durations, plainCounter }: Instruments) => ({
  requests: durations("http_request_duration_seconds", "Time until an answer began, by the pattern of its address", [
    "method",
    "route",
    "status",
  ]),
  shed: plainCounter(
    "http_requests_shed_total",
    "Requests that were told to come back, since the processor or the database had too much to do",
  ),
});

function countEvents({ counter, openCounter }: Instruments) {
  const mails = openCounter("mails_total", "Mails, by what became of them: failed is one attempt", "outcome", [
    "queued",
    "sent",
    "failed",
  ]);
  return {
    countBeats: counter("heartbeats_total", "Heartbeats, by what became of them", "outcome", [
      "counted",
      "duplicate",
      "too_early",
      "too_late",
      "revoked_key",
    ]),
    countClaim: counter("claims_total", "Claims of points: a duplicate was paid before", "outcome", [
      "granted",
      "duplicate",
    ]),
    countSignInFailure: counter<ErrorCode>(
      "sign_in_failures_total",
      "Sign-ins that were refused, by the error's code",
      "reason",
      ["INVALID_CREDENTIALS", "BOT_CHECK_FAILED", "TOO_MANY_ATTEMPTS"],
    ),
    mails: mails.counter,
    countMail: mails.count,
    countDelivery: counter(
      "webhook_deliveries_total",
      "Webhooks, by what became of them: failed is one attempt",
      "outcome",
      ["delivered", "failed", "given_up"],
    ),
    countRead: counter(
      "replica_reads_total",
      "Members' reads that the replica may answer: it did, or the primary had to, as it was behind, away, or failed",
      "outcome",
      ["answered", "behind", "away", "failed"],
    ),
  };
}

const gaugeServer = ({ gauge }: Instruments) => ({
  replicaLag: gauge("replica_lag_seconds", "By how much the replica is behind at most; 0 without one"),
  eventStreams: gauge("event_streams", "Open streams of live events"),
  ready: gauge("ready", "1 where a part that requests need is there, as /readyz has it", ["part"]),
  readOnly: gauge("database_read_only", "1 while the database answers, but takes no writes"),
  connections: gauge("database_connections", "Connections to the database", ["state"]),
  mostConnections: gauge("database_connections_max", "Connections to the database that there may be"),
  databaseWaiting: gauge("database_waiting", "Queries and transactions that wait for a connection"),
});

const gaugeBackgroundWork = ({ gauge }: Instruments) => ({
  jobs: gauge("jobs", "Jobs that are queued or in hand, by kind", ["kind"]),
  failingJobs: gauge("failing_jobs", "Jobs that have failed again and again and wait for another try, by kind", [
    "kind",
  ]),
  oldestJob: gauge("oldest_due_job_seconds", "Age of the job that has been due for longest, by kind", ["kind"]),
  heldMessages: gauge("held_webhook_messages", "Messages that wait for webhooks that are paused"),
  oldestHeld: gauge("oldest_held_webhook_message_seconds", "Age of the oldest of them; 0 without one"),
  chainJobs: gauge("chain_jobs", "Work on the chain that is under way, by state", ["state"]),
  chainBalance: gauge("chain_balance", "Balance of an account that pays on the chain, in its currency, as last seen", [
    "account",
  ]),
});
