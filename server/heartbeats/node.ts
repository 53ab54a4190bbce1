import type { Deps } from "../deps.ts";
import { oncePerPage } from "../http/call-scope.ts";
import { slotOf } from "./beat-window.ts";
import { UPTIME_SLOT_SECONDS } from "./contract.ts";
import { findNode } from "./node.queries.ts";

export type NodeDeps = Pick<Deps, "db" | "env" | "now">;

export const SLOT_MS = UPTIME_SLOT_SECONDS * 1000;
export const WEEK_SLOTS = (7 * 24 * 60 * 60) / UPTIME_SLOT_SECONDS;

/**
 * Reads how a member's node has been doing in the last week. If several calls of a page need it, the database is
 * queried once. `current` is the start of the current slot, `running` that of the current heartbeat interval, and
 * `filled` holds the starts of the slots with a heartbeat, all in milliseconds.
 */
export const readNode = (deps: NodeDeps, userId: string) => oncePerPage(`node ${userId}`, () => find(deps, userId));

async function find({ db, env, now }: NodeDeps, userId: string) {
  const at = now();
  const current = slotOf(at, UPTIME_SLOT_SECONDS).getTime();
  const running = slotOf(at, env.heartbeatIntervalSeconds).getTime();
  const [node] = await findNode(db).execute({
    userId,
    first: new Date(current - (WEEK_SLOTS - 1) * SLOT_MS).toISOString(),
    last: new Date(current).toISOString(),
    slotSeconds: UPTIME_SLOT_SECONDS,
    reach: Math.max(0, env.heartbeatIntervalSeconds - UPTIME_SLOT_SECONDS),
  });
  if (!node) throw new Error("A query of one row has none");
  return { ...node, current, running, filled: new Set(node.filled.map((seconds) => seconds * 1000)) };
}
