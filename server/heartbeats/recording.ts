import { batchCalls } from "../db/batch-calls.ts";
import { runWithFullLimit, waitForShared } from "../db/time-budget.ts";
import { inTransaction } from "../db/transaction.ts";
import type { Tx } from "../db/client.ts";
import type { Deps } from "../deps.ts";
import { createBatchQueue } from "../fair-share/batch-queue.ts";
import { runAsCaller } from "../fair-share/caller.ts";
import type { Caller } from "../http/endpoint.ts";
import { LIMITS } from "../rate-limits/rules.ts";
import { checkTimes } from "./beat-window.ts";
import type { HeartbeatsInput, HeartbeatsResult } from "./contract.ts";
import { findSums } from "./queries.ts";
import { storeRefusedBeats, type Refused } from "./refused-beats.ts";
import { fillSlots, type Beat } from "./service.ts";

/** A request from a node, split into the heartbeats that may count and those that may not. */
type Arrival = { userId: string; deviceId: string | undefined; receivedAt: Date; beats: Beat[]; refused: Refused[] };

type RecorderDeps = Pick<Deps, "db" | "env" | "metrics" | "now">;

/**
 * How many heartbeats to record in one transaction. That takes the database about 40 ms, during which everybody else
 * waits.
 */
const PIECE = 250;
/**
 * How many transactions run at once: as many of four connections as one caller may use. With more, groups would be
 * closed early and then wait.
 */
const GROUPS = { atOnce: 2, most: PIECE, sizeOf: ({ beats }: Arrival) => Math.max(beats.length, 1) };

/** How many heartbeats a batch may have without waiting for its member's turn. */
const SHORT = 10;
/**
 * The size of a request with as many heartbeats as a connected node sends, in bytes. Longer ones come after an outage.
 */
const FEW_BEATS = 1024;

/** Limits long batches per member, before they are parsed. Throws TOO_MANY_ATTEMPTS. */
export async function admitBeats({ limits }: Pick<Deps, "limits">, { userId }: Caller, bodySize: number) {
  if (bodySize > FEW_BEATS) await limits.take(LIMITS.beatBatchByAccount, userId);
}

/**
 * Creates a function that counts a node's heartbeats, posts their points, and returns once that is committed. A long
 * batch is recorded piece by piece, so part of it may count if it fails. Sending a batch again, even at the same time,
 * changes nothing, because each slot counts once per member. After a change of the interval the slots are different
 * ones. Heartbeats that are too early or too late are refused individually. Requests that arrive at the same time share a
 * transaction (docs/decisions/0016). A request that times out waiting for it may still have been counted. Throws
 * TOO_MANY_ATTEMPTS if many long batches of the member are waiting.
 */
export function createHeartbeatRecorder({ db, env, metrics, now }: RecorderDeps) {
  // A group works for many members, so its turn is not that of the first one.
  const record = batchCalls(
    (arrivals: Arrival[]) =>
      runWithFullLimit(() => runAsCaller("heartbeats", () => recordArrivals({ db, env }, arrivals))),
    GROUPS,
  );
  const batches = createBatchQueue();

  async function recordFairly(arrival: Arrival) {
    if (arrival.beats.length <= SHORT) return record(arrival);
    return batches.run(arrival.userId, () => recordInPieces(arrival));
  }

  async function recordInPieces({ beats, refused, ...sender }: Arrival): Promise<Recorded> {
    let recorded = await record({ ...sender, refused, beats: beats.slice(0, PIECE) });
    for (let start = PIECE; start < beats.length; start += PIECE) {
      const next = await record({ ...sender, refused: [], beats: beats.slice(start, start + PIECE) });
      recorded = { ...next, accepted: recorded.accepted + next.accepted };
    }
    return recorded;
  }

  return async ({ deviceId, userId }: Caller, { beats }: HeartbeatsInput): Promise<HeartbeatsResult> => {
    const receivedAt = now();
    const { inTime, refused } = checkTimes(beats, ({ timestamp }) => timestamp, receivedAt);
    const counted = inTime.map(({ at: beatAt }) => ({ userId, beatAt, receivedAt, deviceId }));
    const arrival = { userId, deviceId, receivedAt, beats: counted, refused };
    const { accepted, heartbeats, pointsTotal } = await waitForShared(recordFairly(arrival));
    const duplicates = inTime.length - accepted;
    metrics.countBeats("counted", accepted);
    metrics.countBeats("duplicate", duplicates);
    for (const { reason } of refused) metrics.countBeats(reason);
    return {
      accepted,
      duplicates,
      refused: refused.map(({ of: { timestamp }, message, reason }) => ({ timestamp, message, reason })),
      intervalSeconds: env.heartbeatIntervalSeconds,
      heartbeats,
      pointsTotal,
    };
  };
}

type Recorded = { accepted: number; heartbeats: number; pointsTotal: number };

function recordArrivals({ db, env }: Pick<RecorderDeps, "db" | "env">, arrivals: Arrival[]): Promise<Recorded[]> {
  return inTransaction(db, async (tx) => {
    const beats = arrivals.flatMap((arrival) => arrival.beats);
    const counts = countPerArrival(arrivals, await fillSlots(tx, beats, env));
    await storeAllRefused(tx, arrivals);
    const userIds = [...new Set(arrivals.map(({ userId }) => userId))];
    const sums = new Map((await findSums(tx).execute({ userIds })).map((row) => [row.userId, row]));
    return arrivals.map(({ userId }, index) => {
      const { heartbeats = 0, pointsTotal = 0 } = sums.get(userId) ?? {};
      return { accepted: counts[index] ?? 0, heartbeats, pointsTotal };
    });
  });
}

/** Goes through the members in a fixed order, so that two transactions cannot deadlock. */
async function storeAllRefused(tx: Tx, arrivals: Arrival[]) {
  const withRefused = arrivals.filter(({ refused }) => refused.length > 0);
  for (const { refused, ...sender } of withRefused.toSorted((a, b) => (a.userId < b.userId ? -1 : 1))) {
    await storeRefusedBeats(tx, sender, refused);
  }
}

type Accepted = Pick<Beat, "userId" | "beatAt">;
const keyOf = ({ beatAt, userId }: Accepted) => `${userId} ${beatAt.getTime()}`;

/**
 * Returns how many heartbeats of each arrival filled a slot. If several arrivals had the same one, it counts for the
 * first.
 */
function countPerArrival(arrivals: Arrival[], accepted: Accepted[]): number[] {
  const counts = arrivals.map(() => 0);
  const bringers = new Map<string, number>();
  for (const [index, { beats }] of [...arrivals.entries()].toReversed()) {
    for (const beat of beats) bringers.set(keyOf(beat), index);
  }
  for (const beat of accepted) {
    const index = bringers.get(keyOf(beat)) ?? 0;
    counts[index] = (counts[index] ?? 0) + 1;
  }
  return counts;
}
