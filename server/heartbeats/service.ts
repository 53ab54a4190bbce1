import { uuidv7 } from "uuidv7";
import { createCredential } from "../auth/credential.ts";
import type { Tx } from "../db/client.ts";
import { inGroups } from "../db/in-groups.ts";
import { inTransaction } from "../db/transaction.ts";
import type { Deps } from "../deps.ts";
import { AppError } from "../errors.ts";
import type { Client } from "../http/client.ts";
import type { Caller } from "../http/endpoint.ts";
import { HEARTBEATS_REQUIRED } from "../machine-id/contract.ts";
import { AMOUNTS, RULES } from "../points/rules.ts";
import { postPoints } from "../points/service.ts";
import { recordEvent } from "../security-activity/service.ts";
import { checkTimes, slotOf } from "./beat-window.ts";
import type {
  DeviceInput,
  DeviceResult,
  Devices,
  HeartbeatsInput,
  HeartbeatsResult,
  HeartbeatStatus,
} from "./contract.ts";
import { findDevices, findProgress, findSums, insertBeats, insertDevice, markRevoked } from "./queries.ts";

export type Beat = { userId: string; beatAt: Date; receivedAt: Date; deviceId?: string };

type Settings = Pick<Deps["env"], "heartbeatIntervalSeconds" | "pointsPerHeartbeat">;

/** A node's request, with those of its beats that may count. */
type Arrival = { userId: string; beats: Beat[] };

type Recording = Pick<Deps, "db" | "env" | "now">;

/** Transactions at once, and beats in one: more would not be quicker, and would keep the first in them waiting. */
const GROUPS = { atOnce: 4, most: 1000, sizeOf: ({ beats }: Arrival) => Math.max(beats.length, 1) };

/**
 * Counts nodes' beats and posts their points, all or none of a request, and answers when that is committed. Sending a
 * batch again, also at the same time, changes nothing: a member and slot count once. Beats that are too early or too
 * late are refused one by one. Requests that come at the same time share a transaction (docs/decisions/0013).
 */
export function createHeartbeatRecorder({ db, env, now }: Recording) {
  const record = inGroups((arrivals: Arrival[]) => recordArrivals({ db, env }, arrivals), GROUPS);

  return async ({ deviceId, userId }: Caller, { beats }: HeartbeatsInput): Promise<HeartbeatsResult> => {
    const receivedAt = now();
    const { inTime, refused } = checkTimes(beats, ({ timestamp }) => timestamp, receivedAt);
    const counted = inTime.map(({ at: beatAt }) => ({ userId, beatAt, receivedAt, deviceId }));
    const { accepted, heartbeats, pointsTotal } = await record({ userId, beats: counted });
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
    const accepted = await fillSlots(
      tx,
      arrivals.flatMap(({ beats }) => beats),
      env,
    );
    const userIds = [...new Set(arrivals.map(({ userId }) => userId))];
    const sums = new Map((await findSums(tx).execute({ userIds })).map((row) => [row.userId, row]));
    const counts = shareOut(arrivals, accepted);
    return arrivals.map(({ userId }, index) => {
      const { heartbeats = 0, pointsTotal = 0 } = sums.get(userId) ?? {};
      return { accepted: counts[index] ?? 0, heartbeats, pointsTotal };
    });
  });
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

/** Counts beats of any age, of any members, where their slot is still empty. Returns how many that were. */
export async function countBeats(tx: Tx, beats: readonly Beat[], settings: Settings): Promise<number> {
  return (await fillSlots(tx, beats, settings)).length;
}

async function fillSlots(tx: Tx, beats: readonly Beat[], settings: Settings) {
  if (beats.length === 0) return [];
  const accepted = await insertBeats(tx).execute({
    userIds: beats.map(({ userId }) => userId),
    slotAts: beats.map(({ beatAt }) => slotOf(beatAt, settings.heartbeatIntervalSeconds).toISOString()),
    beatAts: beats.map(({ beatAt }) => beatAt.toISOString()),
    receivedAts: beats.map(({ receivedAt }) => receivedAt.toISOString()),
    deviceIds: beats.map(({ deviceId }) => deviceId ?? null),
  });
  await postPoints(
    tx,
    accepted.map(({ userId, slotAt, beatAt }) => ({
      userId,
      rule: RULES.heartbeat,
      sourceId: slotAt.toISOString(),
      points: settings.pointsPerHeartbeat,
      comment: "Heartbeat",
      occurredAt: beatAt,
    })),
  );
  return accepted;
}

type Asked = { caller: Caller; client: Client };

/** A key of its own for one of the member's machines. It is returned this once; only its hash is kept. */
export async function registerDevice(
  { db, now }: Pick<Deps, "db" | "now">,
  { name }: DeviceInput,
  { caller: { userId }, client }: Asked,
): Promise<DeviceResult> {
  const { token, hash } = createCredential("device");
  const id = uuidv7();
  await inTransaction(db, async (tx) => {
    await insertDevice(tx, { userId, id, name, keyHash: hash, createdAt: now() });
    await recordEvent({ db: tx, now }, { userId, kind: "device-key-made", client });
  });
  return { deviceId: id, deviceKey: token };
}

/** The member's machines that have a key, the latest first. */
export async function readDevices({ db }: Pick<Deps, "db">, userId: string): Promise<Devices> {
  const devices = await findDevices(db, userId);
  return { devices: devices.map(({ createdAt, id, name }) => ({ id, name, createdAt: createdAt.toISOString() })) };
}

/** Ends the key of one of the member's machines. Throws NOT_FOUND for one that is not theirs or has ended. */
export async function revokeDevice(
  { db, now }: Pick<Deps, "db" | "now">,
  { id }: { id: string },
  { caller: { userId }, client }: Asked,
) {
  await inTransaction(db, async (tx) => {
    if (!(await markRevoked(tx, { userId, id, at: now() }))) {
      throw new AppError("NOT_FOUND", "The key of this machine was revoked already.");
    }
    await recordEvent({ db: tx, now }, { userId, kind: "device-key-revoked", client });
  });
  return { success: true, message: "The key of this machine is revoked." };
}

/** The heartbeat reward's event in the ledger: one a member. */
export const HEARTBEAT_REWARD = { source: RULES.heartbeatReward.source, sourceId: "heartbeat" };

/** How far the member is towards the reward for the first heartbeats. Throws NOT_FOUND for an unknown member. */
export async function readHeartbeatStatus({ db }: { db: Deps["db"] | Tx }, userId: string): Promise<HeartbeatStatus> {
  const [progress] = await findProgress(db).execute({ userId, ...HEARTBEAT_REWARD });
  if (!progress) throw new AppError("NOT_FOUND", "There is no such member.");
  const completed = progress.heartbeats >= HEARTBEATS_REQUIRED;
  return {
    currentHeartbeats: progress.heartbeats,
    requiredHeartbeats: HEARTBEATS_REQUIRED,
    completed,
    claimed: progress.claimed,
    claimable: completed && !progress.claimed,
    bonusPoints: AMOUNTS.heartbeatReward,
    lastHeartbeatAt: progress.lastBeatAt?.toISOString() ?? null,
  };
}
