import type { Db } from "../../../server/db/client.ts";
import { inTransaction } from "../../../server/db/transaction.ts";
import { countBeats } from "../../../server/heartbeats/service.ts";

/** Returns heartbeats of a member, one per hour, latest first. */
export const hourlyBeats = (userId: string, count: number, latest: Date) =>
  Array.from({ length: count }, (_, index) => {
    const beatAt = new Date(latest.getTime() - index * 3_600_000);
    return { userId, beatAt, receivedAt: beatAt };
  });

export const BEAT_SETTINGS = { heartbeatIntervalSeconds: 900, pointsPerHeartbeat: 25 };

/** Records a member's heartbeats with these times, as a batch that arrives now. Returns how many count. */
export const createBeat = (db: Db, now: () => Date) => (userId: string, times: readonly string[]) =>
  inTransaction(db, (tx) =>
    countBeats(
      tx,
      times.map((time) => ({ userId, beatAt: new Date(time), receivedAt: now() })),
      BEAT_SETTINGS,
    ),
  );
