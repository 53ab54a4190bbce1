import type { Db } from "../../../server/db/client.ts";
import { inTransaction } from "../../../server/db/transaction.ts";
import { countBeats } from "../../../server/heartbeats/service.ts";

/** Heartbeats of a member, one an hour, the latest first. */
export const hourlyBeats = (userId: string, count: number, latest: Date) =>
  Array.from({ length: count }, (_, index) => {
    const beatAt = new Date(latest.getTime() - index * 3_600_000);
    return { userId, beatAt, receivedAt: beatAt };
  });

export const BEAT_SETTINGS = { heartbeatIntervalSeconds: 900, pointsPerHeartbeat: 25 };

/**
 * Takes in heartbeats of a member that were made at these times, as a batch that comes in now. Returns how many count.
 */
export const createBeat = (db: Db, now: () => Date) => (userId: string, times: readonly string[]) =>
  inTransaction(db, (tx) =>
    countBeats(
      tx,
      times.map((time) => ({ userId, beatAt: new Date(time), receivedAt: now() })),
      BEAT_SETTINGS,
    ),
  );
