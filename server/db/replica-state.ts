import * as z from "zod";

/*
 * What a primary and its replica report about their progress. A position is a place in the primary's write-ahead log,
 * which only grows. A replica that has reached a position has everything that was committed before it.
 */

/** Identifies a database: the same on its replicas, and on no other database. */
const ORIGIN = `(select system_identifier from pg_control_system()) || ' '
  || (select oid from pg_database where datname = current_database())`;

/** The flushed position, because a replica never receives more than that. */
export const PRIMARY_QUERY = `select pg_current_wal_flush_lsn() as position, ${ORIGIN} as origin`;

export const PrimaryState = z.object({ position: z.string(), origin: z.string() });
export type PrimaryState = z.infer<typeof PrimaryState>;

export const REPLICA_QUERY = `select pg_last_wal_replay_lsn() as position, pg_is_in_recovery() as "isReplica",
  ${ORIGIN} as origin, pg_postmaster_start_time()::text as "upSince"`;

export const ReplicaState = z.object({
  position: z.string().nullable(),
  isReplica: z.boolean(),
  origin: z.string(),
  /** With microseconds, which distinguishes one server from another, and from itself before a restart. */
  upSince: z.string(),
});
export type ReplicaState = z.infer<typeof ReplicaState>;

/** Returns why reads cannot go to a server, or undefined if they can. */
export function findObstacle({ isReplica, origin }: ReplicaState, primary: string): string | undefined {
  if (origin !== primary) return "It is not a replica of the database in DATABASE_URL.";
  return isReplica ? undefined : "It is not a replica: it takes writes itself.";
}

/** Converts a position such as `0/16B3748` to a number. */
export function toNumber(position: string): bigint {
  const [high = "", low = ""] = position.split("/");
  return (BigInt(`0x${high}`) << 32n) | BigInt(`0x${low}`);
}
