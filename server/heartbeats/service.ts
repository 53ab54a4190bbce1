import { uuidv7 } from "uuidv7";
import { createCredential } from "../secrets/credential.ts";
import { inTransaction } from "../db/transaction.ts";
import type { Tx } from "../db/client.ts";
import type { Deps } from "../deps.ts";
import { AppError } from "../errors.ts";
import type { Requester } from "../http/endpoint.ts";
import { postPoints } from "../points/service.ts";
import { recordEvent } from "../security-activity/service.ts";
import { MAX_AGE_MS, slotOf } from "./beat-window.ts";
import {
  findDevices,
  findProgress,
  lockMemberAndCountDevices,
  insertBeats,
  markRevoked,
  putDevice,
} from "./queries.ts";
import { HEARTBEAT_REWARD_POINTS, HEARTBEAT_REWARD_RULE, HEARTBEAT_RULE } from "./earning.ts";
import {
  HEARTBEAT_REWARD_ID,
  HEARTBEATS_REQUIRED,
  MAX_DEVICES,
  type DeviceRequest,
  type DeviceResult,
  type Devices,
  type HeartbeatStatus,
} from "./contract.ts";

export type Beat = { userId: string; beatAt: Date; receivedAt: Date; deviceId?: string };

type Settings = Pick<Deps["env"], "heartbeatIntervalSeconds" | "pointsPerHeartbeat">;

/** Counts heartbeats of any age and of any members whose slot is still empty. Returns how many there were. */
export async function countBeats(tx: Tx, beats: readonly Beat[], settings: Settings): Promise<number> {
  return (await fillSlots(tx, beats, settings)).length;
}

/**
 * Fills the slots of these heartbeats that are still empty, and posts their points. Returns the heartbeats that filled
 * one.
 */
export async function fillSlots(tx: Tx, beats: readonly Beat[], settings: Settings) {
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
      rule: HEARTBEAT_RULE,
      sourceId: slotAt.toISOString(),
      points: settings.pointsPerHeartbeat,
      comment: "Heartbeat",
      occurredAt: beatAt,
    })),
  );
  return accepted;
}

/**
 * Creates a key for one of the member's machines. It is returned only this once, and only its hash is stored. If the
 * machine already has a key, the new one replaces it. Throws CONFLICT if the member has the maximum number of keys, or
 * if this machine's key was revoked.
 */
export async function registerDevice(
  { db, env, now }: Pick<Deps, "db" | "env" | "now">,
  { id = uuidv7(), name }: DeviceRequest,
  { caller: { userId }, client }: Requester,
): Promise<DeviceResult> {
  const { token, hash } = createCredential("device");
  await inTransaction(db, async (tx) => {
    if ((await lockMemberAndCountDevices(tx, { userId, id })) >= MAX_DEVICES) {
      const message = `You already have keys for ${MAX_DEVICES} machines. Revoke one that you no longer use.`;
      throw new AppError("CONFLICT", message);
    }
    if (!(await putDevice(tx, { userId, id, name, keyHash: hash, createdAt: now() }))) {
      throw new AppError("CONFLICT", "The key of this machine was revoked.");
    }
    await recordEvent({ db: tx, now }, { userId, kind: "device-key-made", client });
  });
  return { deviceId: id, deviceKey: token, ...(env.publicUrl && { address: env.publicUrl }) };
}

/** Lists the member's machines that have a key, newest first. */
export async function readDevices({ db, now }: Pick<Deps, "db" | "now">, userId: string): Promise<Devices> {
  const devices = await findDevices(db).execute({ userId, since: new Date(now().getTime() - MAX_AGE_MS) });
  return {
    devices: devices.map(({ id, name, createdAt, lastBeatAt }) => ({
      id,
      name,
      createdAt: createdAt.toISOString(),
      lastBeatAt: lastBeatAt?.toISOString() ?? null,
    })),
  };
}

/** Revokes the key of one of the member's machines. Throws NOT_FOUND if it is not theirs or was already revoked. */
export async function revokeDevice(
  { db, now }: Pick<Deps, "db" | "now">,
  { id }: { id: string },
  { caller: { userId }, client }: Requester,
) {
  await inTransaction(db, async (tx) => {
    if (!(await markRevoked(tx, { userId, id, at: now() }))) {
      throw new AppError("NOT_FOUND", "The key of this machine was already revoked.");
    }
    await recordEvent({ db: tx, now }, { userId, kind: "device-key-revoked", client });
  });
  return { success: true, message: "The key of this machine is revoked." };
}

/** Reads the member's progress towards the heartbeat reward. Throws NOT_FOUND if there is no such member. */
export async function readHeartbeatStatus({ db }: { db: Deps["db"] | Tx }, userId: string): Promise<HeartbeatStatus> {
  const { source } = HEARTBEAT_REWARD_RULE;
  const [progress] = await findProgress(db).execute({ userId, source, sourceId: HEARTBEAT_REWARD_ID });
  if (!progress) throw new AppError("NOT_FOUND", "There is no such member.");
  const completed = progress.heartbeats >= HEARTBEATS_REQUIRED;
  return {
    currentHeartbeats: progress.heartbeats,
    requiredHeartbeats: HEARTBEATS_REQUIRED,
    completed,
    claimed: progress.claimed,
    claimable: completed && !progress.claimed,
    bonusPoints: HEARTBEAT_REWARD_POINTS,
    lastHeartbeatAt: progress.lastBeatAt?.toISOString() ?? null,
  };
}
