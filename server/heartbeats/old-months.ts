import type { Db } from "../db/client.ts";
import { addMonthsAhead, isDivided, listMonths, startOfMonth } from "../db/months.ts";
import { inTransaction } from "../db/transaction.ts";
import { findErrorCode } from "../db/unavailable.ts";
import type { Deps } from "../deps.ts";
import * as queries from "./old-months.queries.ts";

/** Somebody had the table for longer than others should wait. */
const NOT_AVAILABLE = "55P03";
const NOT_ALLOWED = "42501";

/**
 * Makes room for the next months of heartbeats and takes away those that are over, as far as that can be done without
 * keeping anybody waiting; the rest is left for the next time. Does nothing for heartbeats that are not divided yet.
 */
export async function turnMonths({ db, env, log, now }: Pick<Deps, "db" | "env" | "log" | "now">): Promise<void> {
  if (!(await isDivided(db, "heartbeats"))) return;
  try {
    const added = await addMonthsAhead(db, "heartbeats", now());
    const removed = await removeOldMonths({ db, now }, env.heartbeatRetentionMonths);
    if (added > 0 || removed.length > 0) log.info({ added, removed }, "turned the months of heartbeats");
  } catch (error) {
    const code = findErrorCode(error);
    if (code === NOT_ALLOWED) {
      log.warn(
        "old heartbeats stay: this role may not remove them (npm run ops -- database retire, as the tables' owner)",
      );
    } else if (code === NOT_AVAILABLE) log.debug("heartbeats are in use: their months are turned later");
    else throw error;
  }
}

/**
 * Sums up each month that began before the last `months` whole ones, takes it out of the table and drops it. Each step
 * can be the last one for now: the next time goes on from there. Returns what was dropped.
 */
export async function removeOldMonths({ db, now }: { db: Db; now: () => Date }, months: number): Promise<string[]> {
  const first = startOfMonth(now(), -months);
  const keptFrom = await queries.findKeptFrom(db);
  for (const month of await listMonths(db, "heartbeats")) {
    if (month.from >= first) break;
    if (!keptFrom || month.from >= keptFrom) {
      await inTransaction(db, (tx) => queries.sumUpMonth(tx, month, startOfMonth(month.from, 1)));
    }
    await queries.detachMonth(db, month);
  }
  const detached = await queries.findDetached(db);
  for (const name of detached) await queries.dropMonth(db, name);
  return detached;
}
