import * as z from "zod";

/*
 * What a primary and a replica of its say of how far they are. A position is a place in the primary's log of writes,
 * which only grows: a replica that has that place has all that was committed before it.
 */

/** The same on a database and on its replicas, and on no other. */
const ORIGIN = `(select system_identifier from pg_control_system()) || ' '
  || (select oid from pg_database where datname = current_database())`;

/** What is flushed is all that a replica gets to see. */
export const ASK_PRIMARY = `select pg_current_wal_flush_lsn() as position, ${ORIGIN} as origin`;

export const PrimaryState = z.object({ position: z.string(), origin: z.string() });
export type PrimaryState = z.infer<typeof PrimaryState>;

export const ASK_REPLICA = `select pg_last_wal_replay_lsn() as position, pg_is_in_recovery() as "isReplica",
  ${ORIGIN} as origin, pg_postmaster_start_time()::text as "upSince"`;

export const ReplicaState = z.object({
  position: z.string().nullable(),
  isReplica: z.boolean(),
  origin: z.string(),
  /** To the microsecond, which tells one server from another, and from itself before a restart. */
  upSince: z.string(),
});
export type ReplicaState = z.infer<typeof ReplicaState>;

/** Why a server is none that members' reads could come from. */
export function findObstacle({ isReplica, origin }: ReplicaState, primary: string): string | undefined {
  if (origin !== primary) return "It is not a replica of the database in DATABASE_URL.";
  return isReplica ? undefined : "It is not a replica: it takes writes itself.";
}

/** A position such as `0/16B3748` as a number. */
export function toNumber(position: string): bigint {
  const [high = "", low = ""] = position.split("/");
  return (BigInt(`0x${high}`) << 32n) | BigInt(`0x${low}`);
}
