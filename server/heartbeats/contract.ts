import * as z from "zod";
import { endpoint, GenericResult } from "../http/contract.ts";

/** Beats that one request may carry: a week of outage at one beat in 15 minutes fits. */
export const MAX_BEATS_PER_BATCH = 1000;

export const HeartbeatsInput = z.object({
  beats: z
    .array(z.object({ timestamp: z.iso.datetime({ offset: true }) }))
    .min(1)
    .max(MAX_BEATS_PER_BATCH),
});
export type HeartbeatsInput = z.infer<typeof HeartbeatsInput>;

export const RefusalReason = z.enum(["too_early", "too_late"]);
export type RefusalReason = z.infer<typeof RefusalReason>;

/** `duplicates` are beats whose slot was already filled: sending a batch again is harmless. */
export const HeartbeatsResult = z
  .object({
    accepted: z.number().int(),
    duplicates: z.number().int(),
    refused: z.array(z.object({ timestamp: z.string(), reason: RefusalReason, message: z.string() })),
    intervalSeconds: z.number().int(),
    heartbeats: z.number().int(),
    pointsTotal: z.number(),
  })
  .meta({ id: "HeartbeatsResult" });
export type HeartbeatsResult = z.infer<typeof HeartbeatsResult>;

export const DeviceInput = z.object({ name: z.string().trim().min(1, "Name the device.").max(80) });
export type DeviceInput = z.infer<typeof DeviceInput>;

/** The key is shown this once; only its hash is kept. */
export const DeviceResult = z.object({ deviceId: z.string(), deviceKey: z.string() }).meta({ id: "DeviceKey" });
export type DeviceResult = z.infer<typeof DeviceResult>;

/** A machine with a key that has not been revoked. */
export const Device = z.object({ id: z.string(), name: z.string(), createdAt: z.iso.datetime() });
export const Devices = z.object({ devices: z.array(Device) }).meta({ id: "Devices" });
export type Devices = z.infer<typeof Devices>;

export const HeartbeatStatus = z
  .object({
    currentHeartbeats: z.number().int(),
    requiredHeartbeats: z.number().int(),
    completed: z.boolean(),
    claimed: z.boolean(),
    claimable: z.boolean(),
    bonusPoints: z.number(),
    lastHeartbeatAt: z.iso.datetime().nullable(),
  })
  .meta({ id: "HeartbeatStatus" });
export type HeartbeatStatus = z.infer<typeof HeartbeatStatus>;

export const sendHeartbeats = endpoint({
  method: "POST",
  path: "/api/heartbeats",
  service: "main",
  access: "node",
  summary: "Timestamped heartbeats of a node, one or many",
  body: HeartbeatsInput,
  response: HeartbeatsResult,
});

export const registerDevice = endpoint({
  method: "POST",
  path: "/api/heartbeats/devices",
  service: "main",
  access: "member",
  summary: "A key of its own for one of the member's machines",
  body: DeviceInput,
  response: DeviceResult,
});

export const readDevices = endpoint({
  method: "GET",
  path: "/api/heartbeats/devices",
  service: "main",
  access: "member",
  summary: "The member's machines that have a key, the latest first",
  response: Devices,
});

export const revokeDevice = endpoint({
  method: "DELETE",
  path: "/api/heartbeats/devices/{id}",
  service: "main",
  access: "member",
  summary: "Revoke the key of one of the member's machines",
  params: z.object({ id: z.uuid("There is no such machine.") }),
  response: GenericResult,
  fails: ["NOT_FOUND"],
});

export const readHeartbeatStatus = endpoint({
  method: "GET",
  path: "/api/campaigns/heartbeat/status",
  service: "main",
  access: "member",
  summary: "How far the member is towards the heartbeat reward",
  response: HeartbeatStatus,
});
