import { inGroups } from "../db/in-groups.ts";
import { answerSeveral, whileWaiting } from "../db/patience.ts";
import { inTransaction } from "../db/transaction.ts";
import type { Tx } from "../db/client.ts";
import type { Deps } from "../deps.ts";
import { createBatchQueue } from "../fair-share/batch-queue.ts";
import { actFor } from "../fair-share/caller.ts";
import type { Caller } from "../http/endpoint.ts";
import { LIMITS } from "../rate-limits/rules.ts";
import { checkTimes } from "./beat-window.ts";
import type { HeartbeatsInput, HeartbeatsResult } from "./contract.ts";
import { findSums } from "./queries.ts";
import { keepRefused, type Refused } from "./refused-beats.ts";
import { fillSlots, type Beat } from "./service.ts";

/** A node's request: those of its beats that may count, and those that may not. */
type Arrival = { userId: string; deviceId: string | undefined; receivedAt: Date; beats: Beat[]; refused: Refused[] };

type RecorderDeps = Pick<Deps, "db" | "env" | "metrics" | "now">;

/** Beats in one transaction: about 40 ms of the database's time, in which nobody else gets in between. */
const PIECE = 250;
/** Transactions at once: as many of four connections as one caller has. More would close early and then wait. */
const GROUPS = { atOnce: 2, most: PIECE, sizeOf: ({ beats }: Arrival) => Math.max(beats.length, 1) };

/** Beats of a batch that needs no turn of its own. */
const SHORT = 10;
/**
 * Bytes of a request with as many beats as a node sends while it is connected. What is longer comes after an outage.
 */
const FEW_BEATS = 1024;

/** Limits long batches by member, before they are read. Throws TOO_MANY_ATTEMPTS. */
export async function admitBeats({ limits }: Pick<Deps, "limits">, { userId }: Caller, bodySize: number) {
  if (bodySize > FEW_BEATS) await limits.take(LIMITS.beatBatchByAccount, userId);
}

/**
 * Counts nodes' beats and posts their points, and answers when that is committed: a long batch piece by piece, so that
 * it may be counted in part where it fails. Sending a batch again, also at the same time, changes nothing: a member and
 * slot count once. Beats that are too early or too late are refused one by one. Requests that come at the same time
 * share a transaction (docs/decisions/0016), and who waits too long for it may have been counted. Throws
 * TOO_MANY_ATTEMPTS where many of a member's long batches wait.
 */
export function createHeartbeatRecorder({ db, env, metrics, now }: RecorderDeps) {
  // A group is many members' work, whoever of them came first.
  const record = inGroups(
    (arrivals: Arrival[]) => answerSeveral(() => actFor("heartbeats", () => recordArrivals({ db, env }, arrivals))),
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
    const { accepted, heartbeats, pointsTotal } = await whileWaiting(recordFairly(arrival));
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
    const counts = shareOut(arrivals, await fillSlots(tx, beats, env));
    await keepAllRefused(tx, arrivals);
    const userIds = [...new Set(arrivals.map(({ userId }) => userId))];
    const sums = new Map((await findSums(tx).execute({ userIds })).map((row) => [row.userId, row]));
    return arrivals.map(({ userId }, index) => {
      const { heartbeats = 0, pointsTotal = 0 } = sums.get(userId) ?? {};
      return { accepted: counts[index] ?? 0, heartbeats, pointsTotal };
    });
  });
}

/** Member by member in one order, so that no two transactions wait for each other. */
async function keepAllRefused(tx: Tx, arrivals: Arrival[]) {
  const withRefused = arrivals.filter(({ refused }) => refused.length > 0);
  for (const { refused, ...sender } of withRefused.toSorted((a, b) => (a.userId < b.userId ? -1 : 1))) {
    await keepRefused(tx, sender, refused);
  }
}

type Accepted = Pick<Beat, "userId" | "beatAt">;
const keyOf = ({ beatAt, userId }: Accepted) => `${userId} ${beatAt.getTime()}`;

/** How many beats of each arrival filled a slot. A beat that several of them brought is the first one's. */
function shareOut(arrivals: Arrival[], accepted: Accepted[]): number[] {
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
