import { batchCalls } from "../db/batch-calls.ts";
import type { Db, Tx } from "../db/client.ts";
import { MAX_CLOCK_SKEW_MS } from "../db/clock.ts";
import { runWithFullLimit, waitForShared } from "../db/time-budget.ts";
import type { Deps } from "../deps.ts";
import { AppError } from "../errors.ts";
import { runAsCaller } from "../fair-share/caller.ts";
import { MESSAGES, slotOf } from "./beat-window.ts";
import { UPTIME_SLOT_SECONDS, type RefusalReason, type RefusedBeat, type RefusedBeats } from "./contract.ts";
import * as queries from "./refused-beats.queries.ts";
import type { Caller } from "../http/endpoint.ts";
import { readNode, type NodeDeps } from "./node.ts";
import { findNodeDevices } from "./queries.ts";

/**
 * How many refused heartbeats to keep per member, and to record per hour, so that a faulty node cannot fill the disk.
 */
const MAX_STORED = 100;
const HOUR_MS = 60 * 60 * 1000;

/** The device id of a heartbeat that was sent with a session token, so that sending it again adds no row. */
const NO_DEVICE = "00000000-0000-0000-0000-000000000000";

/** The range that times are clamped to, because a node's clock may be too wrong for the database or a calendar. */
const EARLIEST = Date.UTC(1970, 0, 1);
const LATEST = Date.UTC(9999, 0, 1);

const WORDS = { ...MESSAGES, revoked_key: "The key of this machine is revoked. Give it a new one." };

type Sender = { userId: string; deviceId?: string | undefined; receivedAt: Date };
export type Refused = { of: { timestamp: string }; reason: RefusalReason };

/** Stores the latest refused heartbeats of a batch, in the batch's own transaction. Sending them again adds no rows. */
export async function storeRefusedBeats(tx: Tx, sender: Sender, refused: readonly Refused[]): Promise<void> {
  const times = refused.map(({ of, reason }) => ({ claimedAt: within(Date.parse(of.timestamp)), reason }));
  times.sort((a, b) => b.claimedAt - a.claimedAt);
  const latest = times
    .slice(0, MAX_STORED)
    .map(({ claimedAt, reason }) => ({ claimedAt: new Date(claimedAt), reason }));
  await store(tx, sender, latest);
}

const within = (time: number) => Math.min(Math.max(time, EARLIEST), LATEST);

/** Records, once per quarter hour, that a machine uses a revoked key. */
const storeRevokedKey = (db: Db, sender: Required<Sender>): Promise<void> =>
  store(db, sender, [{ claimedAt: slotOf(sender.receivedAt, UPTIME_SLOT_SECONDS), reason: "revoked_key" }]);

/** How many keys to look up in one statement, and how many such statements run at once. */
const LOOKUPS = { atOnce: 2, most: 100, sizeOf: () => 1 };

/**
 * Creates a function that finds the caller of a device key by its hash, or returns undefined if it opens nothing. If
 * the key was revoked, it records that the machine still uses it, so that its member can see that, and throws
 * KEY_REVOKED. Calls that arrive at the same time share a statement, which starts after all of them have arrived, so a
 * key counts as revoked from the moment its revocation is committed.
 */
export function createNodeAdmission({ db, metrics, now }: Pick<Deps, "db" | "metrics" | "now">) {
  const find = batchCalls(
    (hashes: Buffer[]) => runWithFullLimit(() => runAsCaller("device keys", () => findNodeDevices(db, hashes))),
    LOOKUPS,
  );
  return async (hash: Buffer): Promise<Caller | undefined> => {
    const device = await waitForShared(find(hash));
    if (!device || device.blockedAt) return undefined;
    const { userId, deviceId, revokedAt } = device;
    if (!revokedAt) return { userId, deviceId };
    metrics.countBeats("revoked_key");
    await storeRevokedKey(db, { userId, deviceId, receivedAt: now() });
    throw new AppError("KEY_REVOKED", WORDS.revoked_key);
  };
}

type RefusedEntry = { claimedAt: Date; reason: keyof typeof WORDS };

async function store(db: Db | Tx, { userId, deviceId = NO_DEVICE, receivedAt }: Sender, beats: RefusedEntry[]) {
  const recent = await queries.countRefused(db, { userId, since: new Date(receivedAt.getTime() - HOUR_MS) });
  const latest = new Date(receivedAt.getTime() + MAX_CLOCK_SKEW_MS);
  // A clock that was ahead refuses what counts, and its rows would keep out all others until their time has come.
  const removed = recent < MAX_STORED ? 0 : await queries.deleteRefusedAfter(db, { userId, time: latest });
  const room = Math.max(0, MAX_STORED - recent + removed);
  if (room === 0) return;
  const rows = beats
    .slice(0, room)
    .map(({ claimedAt, reason }) => ({ userId, deviceId, receivedAt, claimedAt, reason }));
  const added = await queries.insertRefused(db, rows);
  if (added > 0) await queries.deleteAllBut(db, { userId, kept: MAX_STORED });
}

/** Reads a member's latest heartbeats that did not count, and why. */
export async function readRefusedBeats(
  deps: NodeDeps,
  userId: string,
  { limit }: { limit: number },
): Promise<RefusedBeats> {
  const { refused } = await readNode(deps, userId);
  return { total: refused.length, refused: refused.slice(0, limit).map(describe) };
}

/** The same for an administrator, without reading anything else about the node. */
export async function readRefusedOf(db: Db, asked: { userId: string; limit: number }): Promise<RefusedBeat[]> {
  return (await queries.findRefused(db, asked)).map(describe);
}

type Found = Pick<RefusedBeat, "device" | "reason"> & Record<"claimedAt" | "receivedAt", string | Date>;

const describe = ({ claimedAt, device, reason, receivedAt }: Found): RefusedBeat => ({
  claimedAt: reason === "revoked_key" ? null : new Date(claimedAt).toISOString(),
  receivedAt: new Date(receivedAt).toISOString(),
  reason,
  message: WORDS[reason],
  device,
});
