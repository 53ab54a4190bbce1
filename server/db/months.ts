import { sql, type SQL } from "drizzle-orm";
import { DatabaseError } from "pg";
import type { Db, Tx } from "./client.ts";
import { listCauses } from "./unavailable.ts";

/*
 * Tables that are partitioned by month (docs/decisions/0062, 0063). Each month that has rows has a partition. There is
 * no default partition, where rows of unexpected months would collect unnoticed.
 */

/** How many months to create ahead. An earlier version creates none, and can keep running for that long. */
const AHEAD = 3;
/** How long a change to a table's partitions waits for its lock, in milliseconds. Others wait behind it for as long. */
export const LOCK_TIMEOUT_MS = 200;

/** Returns the start of a month in UTC: of the month of `at`, plus `months`. */
export const startOfMonth = (at: Date, months = 0) =>
  new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + months, 1));

/** Limits how long statements that alter a table wait for its lock. */
export const setLockTimeout = (timeout = LOCK_TIMEOUT_MS): SQL =>
  sql`select set_config('lock_timeout', ${`${timeout}ms`}, true)`;

/** Whether a table is partitioned by month. One that was already large is not, until an operator converts it. */
export async function isPartitioned(db: Db | Tx, table: string): Promise<boolean> {
  const { rows } = await db.execute<{ is: boolean }>(
    sql`select relkind = 'p' as "is" from pg_class where oid = to_regclass(${table})`,
  );
  return rows[0]?.is ?? false;
}

/**
 * Adds a month to a table if it is missing, and returns whether it was. The rows refer to members, so attaching the
 * partition locks out changes to members. Rejects with LOCK_NOT_AVAILABLE rather than wait long for that lock and make
 * others wait too.
 */
export async function addMonth(db: Db | Tx, table: string, at: Date): Promise<boolean> {
  return db.transaction(async (tx) => {
    await tx.execute(setLockTimeout());
    const { rows } = await tx.execute<{ added: boolean }>(
      sql`select add_month(to_regclass(${table}), ${at.toISOString()}::timestamptz) as added`,
    );
    return rows[0]?.added ?? false;
  });
}

/** Creates partitions for this month and the next ones. Returns how many were missing. */
export async function addMonthsAhead(db: Db, table: string, now: Date): Promise<number> {
  const there = new Set((await listMonths(db, table)).map(({ from }) => from.getTime()));
  const wanted = Array.from({ length: AHEAD + 1 }, (_, months) => startOfMonth(now, months));
  const missing = wanted.filter((from) => !there.has(from.getTime()));
  if (missing.length === 0 || !(await isPartitioned(db, table))) return 0;
  for (const from of missing) await addMonth(db, table, from);
  return missing.length;
}

export type Month = {
  /** The name of the partition. */
  name: string;
  /** The first instant of the month. */
  from: Date;
  /** Whether somebody began to detach it and did not finish. */
  isLeaving: boolean;
};

/** Lists a table's months, earliest first. Skips partitions that are not for a month. */
export async function listMonths(db: Db | Tx, table: string): Promise<Month[]> {
  const { rows } = await db.execute<Omit<Month, "from">>(sql`
    select relname as name, inhdetachpending as "isLeaving"
    from pg_inherits join pg_class on pg_class.oid = inhrelid
    where inhparent = to_regclass(${table}) and relname ~ '_[0-9]{4}_[0-9]{2}$' order by relname`);
  return rows.map(({ isLeaving, name }) => ({ name, isLeaving, from: monthOf(name) }));
}

/** Parses the name of a partition, such as `heartbeats_2026_11`. */
const monthOf = (partition: string) => new Date(`${partition.slice(-7).replace("_", "-")}-01T00:00:00Z`);

/** Also the code of a failed check constraint, but those have a name. */
const NO_PARTITION = "23514";

/**
 * Creates the partition that a row needed, after the statement that brought the row was rolled back. Returns undefined
 * for any other error, "there" if somebody else was quicker, and "none" if the month may have no partition. Months are
 * created ahead, so this is for old rows, and for a server whose housekeeping stopped. Rejects as `addMonth` does.
 */
export async function createMissingPartition(db: Db, error: unknown): Promise<"made" | "there" | "none" | undefined> {
  const failed = listCauses(error).find((cause) => cause instanceof DatabaseError);
  if (failed?.code !== NO_PARTITION || failed.constraint || !failed.table) return undefined;
  // The detail ends like "… of the failing row contains (slot_at) = (2026-11-22 12:00:00+00).", in the server's
  // language. For the ledger: "… (source, source_id) = (heartbeat, 2026-11-22T12:00:00.000Z)."
  const at = new Date(/[(,] ?([^(),]*)\)\D*$/.exec(failed.detail ?? "")?.[1] ?? "");
  if (Number.isNaN(at.getTime())) return undefined;
  if (await addMonth(db, failed.table, at)) return "made";
  const months = await listMonths(db, failed.table);
  return months.some(({ from }) => from.getTime() === startOfMonth(at).getTime()) ? "there" : "none";
}
