import { inGroups } from "../db/in-groups.ts";
import { inTransaction } from "../db/transaction.ts";
import type { Tx } from "../db/client.ts";
import type { Deps } from "../deps.ts";
import type { Caller } from "../http/endpoint.ts";
import { checkTimes } from "./beat-window.ts";
import type { HeartbeatsInput, HeartbeatsResult } from "./contract.ts";
import { findSums } from "./queries.ts";
import { keepRefused, type Refused } from "./refused-beats.ts";
import { fillSlots, type Beat } from "./service.ts";

/** A node's request: those of its beats that may count, and those that may not. */
type Arrival = { userId: string; deviceId: string | undefined; receivedAt: Date; beats: Beat[]; refused: Refused[] };

type Recording = Pick<Deps, "db" | "env" | "now">;

/** Transactions at once, and beats in one: more would not be quicker, and would keep the first in them waiting. */
const GROUPS = { atOnce: 4, most: 1000, sizeOf: ({ beats }: Arrival) => Math.max(beats.length, 1) };

/**
 * Counts nodes' beats and posts their points, all or none of a request, and answers when that is committed. Sending a
 * batch again, also at the same time, changes nothing: a member and slot count once. Beats that are too early or too
 * late are refused one by one. Requests that come at the same time share a transaction (docs/decisions/0016).
 */
export function createHeartbeatRecorder({ db, env, now }: Recording) {
  const record = inGroups((arrivals: Arrival[]) => recordArrivals({ db, env }, arrivals), GROUPS);

  return async ({ deviceId, userId }: Caller, { beats }: HeartbeatsInput): Promise<HeartbeatsResult> => {
    const receivedAt = now();
    const { inTime, refused } = checkTimes(beats, ({ timestamp }) => timestamp, receivedAt);
    const counted = inTime.map(({ at: beatAt }) => ({ userId, beatAt, receivedAt, deviceId }));
    const arrival = { userId, deviceId, receivedAt, beats: counted, refused };
    const { accepted, heartbeats, pointsTotal } = await record(arrival);
    return {
      accepted,
      duplicates: inTime.length - accepted,
      refused: refused.map(({ of: { timestamp }, message, reason }) => ({ timestamp, message, reason })),
      intervalSeconds: env.heartbeatIntervalSeconds,
      heartbeats,
      pointsTotal,
    };
  };
}

type Recorded = { accepted: number; heartbeats: number; pointsTotal: number };

function recordArrivals({ db, env }: Omit<Recording, "now">, arrivals: Arrival[]): Promise<Recorded[]> {
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
