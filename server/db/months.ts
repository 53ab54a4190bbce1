import { sql, type SQL } from "drizzle-orm";
import { DatabaseError } from "pg";
import type { Db, Tx } from "./client.ts";
import { listCauses } from "./unavailable.ts";

/*
 * Tables that are divided by month (docs/decisions/0062, 0063). There is a partition for each month that has rows, and
 * none for months that nobody made room for, whose rows would collect there unseen.
 */

/** Months that are there before they begin: an earlier version, which makes none, goes on for so long. */
const AHEAD = 3;
/** How long a change of a table's months waits for others, in milliseconds: for so long others wait behind it. */
export const PATIENCE_MS = 200;

/** The month of an instant in UTC, counted from that of `at`: its first instant. */
export const startOfMonth = (at: Date, months = 0) =>
  new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + months, 1));

/** For a statement that changes what a table is made of: it gives up where somebody has the table for long. */
export const notForLong = (patience = PATIENCE_MS): SQL =>
  sql`select set_config('lock_timeout', ${`${patience}ms`}, true)`;

/** Whether a table is divided by month: what was large before it could be is not until the operator has it done. */
export async function isDivided(db: Db | Tx, table: string): Promise<boolean> {
  const { rows } = await db.execute<{ is: boolean }>(
    sql`select relkind = 'p' as "is" from pg_class where oid = to_regclass(${table})`,
  );
  return rows[0]?.is ?? false;
}

/**
 * Adds a month to a table, unless it is there. Returns whether it was missing. Its rows refer to members, so attaching
 * it keeps others from changing members. Rejects with NOT_AVAILABLE rather than wait long for that lock, and have them
 * wait too.
 */
export async function addMonth(db: Db | Tx, table: string, at: Date): Promise<boolean> {
  return db.transaction(async (tx) => {
    await tx.execute(notForLong());
    const { rows } = await tx.execute<{ added: boolean }>(
      sql`select add_month(to_regclass(${table}), ${at.toISOString()}::timestamptz) as added`,
    );
    return rows[0]?.added ?? false;
  });
}

/** Makes room for this month and the next ones. Returns how many months were missing. */
export async function addMonthsAhead(db: Db, table: string, now: Date): Promise<number> {
  const there = new Set((await listMonths(db, table)).map(({ from }) => from.getTime()));
  const wanted = Array.from({ length: AHEAD + 1 }, (_, months) => startOfMonth(now, months));
  const missing = wanted.filter((from) => !there.has(from.getTime()));
  if (missing.length === 0 || !(await isDivided(db, table))) return 0;
  for (const from of missing) await addMonth(db, table, from);
  return missing.length;
}

export type Month = {
  /** Of the partition. */
  name: string;
  /** Its first instant. */
  from: Date;
  /** Whether somebody has begun to take it away, and did not get to the end. */
  isLeaving: boolean;
};

/** A table's months, the first one first. What does not go by month is none of them. */
export async function listMonths(db: Db | Tx, table: string): Promise<Month[]> {
  const { rows } = await db.execute<Omit<Month, "from">>(sql`
    select relname as name, inhdetachpending as "isLeaving"
    from pg_inherits join pg_class on pg_class.oid = inhrelid
    where inhparent = to_regclass(${table}) and relname ~ '_[0-9]{4}_[0-9]{2}$' order by relname`);
  return rows.map(({ isLeaving, name }) => ({ name, isLeaving, from: monthOf(name) }));
}

/** `heartbeats_2026_11` */
const monthOf = (partition: string) => new Date(`${partition.slice(-7).replace("_", "-")}-01T00:00:00Z`);

/** Also of any check that a row does not pass: those have a name. */
const NO_PARTITION = "23514";

/**
 * Makes room for a row that had none, after the statement that brought it was rolled back. Undefined for any other
 * error. "there" where somebody else was quicker, "none" where there is to be no room. Months are made ahead: this is
 * for rows of long ago, and for a server whose housekeeping stood still. Rejects as `addMonth` does.
 */
export async function makeRoomFor(db: Db, error: unknown): Promise<"made" | "there" | "none" | undefined> {
  const failed = listCauses(error).find((cause) => cause instanceof DatabaseError);
  if (failed?.code !== NO_PARTITION || failed.constraint || !failed.table) return undefined;
  // "… of the failing row contains (slot_at) = (2026-11-22 12:00:00+00).", in the server's language; of the ledger
  // "… (source, source_id) = (heartbeat, 2026-11-22T12:00:00.000Z)."
  const at = new Date(/[(,] ?([^(),]*)\)\D*$/.exec(failed.detail ?? "")?.[1] ?? "");
  if (Number.isNaN(at.getTime())) return undefined;
  if (await addMonth(db, failed.table, at)) return "made";
  const months = await listMonths(db, failed.table);
  return months.some(({ from }) => from.getTime() === startOfMonth(at).getTime()) ? "there" : "none";
}
