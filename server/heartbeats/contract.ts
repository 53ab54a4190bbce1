import * as z from "zod";
import { endpoint, GenericResult, queryInteger } from "../http/contract.ts";
import { isVisible, VISIBLE } from "../http/visible-text.ts";

/** How many heartbeats the heartbeat reward, a Smart Account and a Machine ID require. */
export const HEARTBEATS_REQUIRED = 100;

/** The id of the heartbeat reward, where other rewards have the id of their campaign. */
export const HEARTBEAT_REWARD_ID = "heartbeat";

/** The most heartbeats in one request. An outage of a week fits, at one heartbeat every 15 minutes. */
export const MAX_BEATS_PER_BATCH = 1000;

export const HeartbeatsInput = z.object({
  beats: z
    .array(z.object({ timestamp: z.iso.datetime({ offset: true }) }))
    .min(1)
    .max(MAX_BEATS_PER_BATCH),
});
export type HeartbeatsInput = z.infer<typeof HeartbeatsInput>;

/** Why a heartbeat's time keeps it from counting. */
export const RefusalReason = z.enum(["too_early", "too_late"]);
export type RefusalReason = z.infer<typeof RefusalReason>;

/**
 * The longest interval between two heartbeats, in seconds. If a node received a year, it would be silent for a year,
 * and would not learn of a shorter one.
 */
const LONGEST_INTERVAL = 86_400;

/**
 * The outcome of a request. `duplicates` are heartbeats whose slot was already filled, so sending a batch again is
 * harmless.
 */
export const HeartbeatsResult = z
  .object({
    accepted: z.number().int(),
    duplicates: z.number().int(),
    refused: z.array(z.object({ timestamp: z.string(), reason: RefusalReason, message: z.string() })),
    intervalSeconds: z.number().int().positive().max(LONGEST_INTERVAL),
    heartbeats: z.number().int(),
    pointsTotal: z.number(),
  })
  .meta({ id: "HeartbeatsResult" });
export type HeartbeatsResult = z.infer<typeof HeartbeatsResult>;

/** How many machines of one member may have keys at the same time. */
export const MAX_DEVICES = 100;

const NO_NAME = "Enter a name for the machine.";
export const DeviceInput = z.object({
  name: z.string(NO_NAME).trim().min(1, NO_NAME).max(80, "Use 80 characters at most.").refine(isVisible, VISIBLE),
});
export type DeviceInput = z.infer<typeof DeviceInput>;

/**
 * A request for a key. A machine that asks on its own makes up an `id`. If the response is lost, it asks again with the
 * same `id` and gets a new key that replaces the lost one.
 */
export const DeviceRequest = DeviceInput.extend({ id: z.uuid().toLowerCase().optional() });
export type DeviceRequest = z.infer<typeof DeviceRequest>;

/** A new key. It is shown only this once, and only its hash is stored. */
export const DeviceResult = z
  .object({
    deviceId: z.string(),
    deviceKey: z.string(),
    /** Where the machine sends its heartbeats, if the server knows its public address. */
    address: z.url().optional(),
  })
  .meta({ id: "DeviceKey" });
export type DeviceResult = z.infer<typeof DeviceResult>;

/** A machine with a key that has not been revoked. */
export const Device = z.object({
  id: z.string(),
  name: z.string(),
  createdAt: z.iso.datetime(),
  /** The time of its last heartbeat. Null if that was more than 7 days ago, or if it never sent one. */
  lastBeatAt: z.iso.datetime().nullable(),
});
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

/** The length of a slot in the uptime strip, whatever the heartbeat interval. */
export const UPTIME_SLOT_SECONDS = 900;

/** Ranges of the uptime strip. They end with the current slot. */
export const UptimeRange = z.enum(["last24hours", "last7days"]);
export type UptimeRange = z.infer<typeof UptimeRange>;

/**
 * The state of a slot of 15 minutes. `before` is before the member's first heartbeat, and `pending` may still be
 * filled.
 */
export const SlotState = z.enum(["beat", "missed", "before", "pending"]);
export type SlotState = z.infer<typeof SlotState>;

export const Uptime = z
  .object({
    range: UptimeRange,
    /** Start of the first slot, and end of the last one. */
    from: z.iso.datetime(),
    to: z.iso.datetime(),
    slotSeconds: z.number().int(),
    /** Oldest first. */
    slots: z.array(SlotState),
    /**
     * Percentage of filled slots among those since the first heartbeat. The current one counts once it is filled. Null
     * before the first heartbeat.
     */
    percent: z.number().nullable(),
    /** The longest run of missed slots, the latest one if several are equally long. Null if there is none. */
    longestGap: z.object({ from: z.iso.datetime(), to: z.iso.datetime() }).nullable(),
    /**
     * The last heartbeat, however old. `device` is the name of the machine, or null if it was sent with a session
     * token.
     */
    lastBeat: z.object({ at: z.iso.datetime(), device: z.string().nullable() }).nullable(),
  })
  .meta({ id: "Uptime" });
export type Uptime = z.infer<typeof Uptime>;

export const RefusedBeat = z.object({
  /** The time that the node claims. Null if the key was revoked, because the request was not read then. */
  claimedAt: z.iso.datetime().nullable(),
  receivedAt: z.iso.datetime(),
  reason: z.enum([...RefusalReason.options, "revoked_key"]),
  message: z.string(),
  device: z.string().nullable(),
});
export type RefusedBeat = z.infer<typeof RefusedBeat>;

/** Refused heartbeats, newest first. `total` counts all that are stored. */
export const RefusedBeats = z
  .object({ refused: z.array(RefusedBeat), total: z.number().int() })
  .meta({ id: "RefusedBeats" });
export type RefusedBeats = z.infer<typeof RefusedBeats>;

export const sendHeartbeats = endpoint("POST /api/heartbeats", {
  access: "node",
  summary: "Record heartbeats of a node with their times, one or many",
  body: HeartbeatsInput,
  response: HeartbeatsResult,
  fails: ["TOO_MANY_ATTEMPTS"],
});

export const registerDevice = endpoint("POST /api/heartbeats/devices", {
  summary: "Create a key for one of the member's machines",
  body: DeviceRequest,
  response: DeviceResult,
  fails: ["CONFLICT", "TOO_MANY_ATTEMPTS"],
});

export const readDevices = endpoint("GET /api/heartbeats/devices", {
  summary: "The member's machines that have a key, the latest first",
  mayLag: true,
  response: Devices,
});

export const revokeDevice = endpoint("DELETE /api/heartbeats/devices/{id}", {
  summary: "Revoke the key of one of the member's machines",
  params: z.object({ id: z.uuid("There is no such machine.") }),
  response: GenericResult,
  fails: ["NOT_FOUND"],
});

export const readHeartbeatStatus = endpoint("GET /api/campaigns/heartbeat/status", {
  summary: "The member's progress towards the heartbeat reward",
  mayLag: true,
  response: HeartbeatStatus,
});

export const readUptime = endpoint("GET /api/heartbeats/uptime", {
  summary: "The quarter-hours in which the member's nodes sent heartbeats, and the last heartbeat",
  mayLag: true,
  query: z.object({ range: UptimeRange }),
  response: Uptime,
});

export const readRefusedBeats = endpoint("GET /api/heartbeats/refused", {
  summary: "The member's latest refused heartbeats, and why; 100 at most",
  mayLag: true,
  query: z.object({ limit: queryInteger({ min: 1, max: 100, default: 20 }) }),
  response: RefusedBeats,
});
