import { and, asc, desc, eq, sql } from "drizzle-orm";
import { opaqueParam } from "../db/opaque-param.ts";
import { prepared } from "../db/prepared.ts";
import { heartbeatMonths, heartbeats, heartbeatTotals, nodeDevices, refusedBeats } from "../db/schema.ts";

type RefusedBeat = Pick<typeof refusedBeats.$inferSelect, "reason"> & {
  claimedAt: string;
  receivedAt: string;
  device: string | null;
};

const isTheirs = eq(heartbeats.userId, sql.placeholder("userId"));

/**
 * Finds how a member's node has been doing, in one row.
 *
 * `filled`: the slots of `slotSeconds` from `first` to `last` that contain a heartbeat or are covered by an earlier
 * one, whose interval began up to `reach` seconds before. In seconds since 1970. Each slot takes one lookup in the
 * primary key, however many heartbeats there are: with an interval of seconds, a week has hundreds of thousands.
 *
 * The first and the last heartbeat are known even if their months were removed, but then without the machine.
 *
 * `refused`: the heartbeats that did not count, newest first. A hundred are kept.
 */
export const findNode = prepared((db) => {
  const length = sql`make_interval(secs => ${opaqueParam("slotSeconds", "numeric")}::float8)`;
  const reach = sql`make_interval(secs => ${opaqueParam("reach", "numeric")}::float8)`;
  const firstBeat = db
    .select({ slotAt: heartbeats.slotAt })
    .from(heartbeats)
    .where(isTheirs)
    .orderBy(asc(heartbeats.slotAt))
    .limit(1)
    .as("first_beat");
  const firstMonth = db
    .select({ slotAt: heartbeatMonths.firstSlotAt })
    .from(heartbeatMonths)
    .where(eq(heartbeatMonths.userId, sql.placeholder("userId")))
    .orderBy(asc(heartbeatMonths.month))
    .limit(1)
    .as("first_month");
  const lastBeat = db
    .select({ at: heartbeats.beatAt, device: nodeDevices.name })
    .from(heartbeats)
    .leftJoin(nodeDevices, and(eq(nodeDevices.userId, heartbeats.userId), eq(nodeDevices.id, heartbeats.deviceId)))
    .where(isTheirs)
    .orderBy(desc(heartbeats.slotAt))
    .limit(1)
    .as("last_beat");
  return db
    .select({
      filled: sql`array(
        select extract(epoch from strip.slot_at)::float8
        from generate_series(${opaqueParam("first", "timestamptz")}, ${opaqueParam("last", "timestamptz")}, ${length})
          as strip (slot_at)
        cross join lateral (
          select from ${heartbeats}
          where ${isTheirs} and ${heartbeats.slotAt} >= strip.slot_at - ${reach}
            and ${heartbeats.slotAt} < strip.slot_at + ${length}
          limit 1
        ) as beat
      )`.mapWith((seconds: number[]) => seconds),
      firstSlotAt: sql`coalesce(${firstMonth.slotAt}, ${firstBeat.slotAt})`.mapWith(heartbeats.slotAt),
      lastBeatAt: sql`coalesce(${lastBeat.at}, ${heartbeatTotals.lastBeatAt})`.mapWith(heartbeats.beatAt),
      lastDevice: lastBeat.device,
      refused: sql<RefusedBeat[]>`array(
        select jsonb_build_object('claimedAt', ${refusedBeats.claimedAt}, 'receivedAt', ${refusedBeats.receivedAt},
          'reason', ${refusedBeats.reason}, 'device', ${nodeDevices.name})
        from ${refusedBeats}
        left join ${nodeDevices}
          on ${nodeDevices.userId} = ${refusedBeats.userId} and ${nodeDevices.id} = ${refusedBeats.deviceId}
        where ${refusedBeats.userId} = ${sql.placeholder("userId")}
        order by ${refusedBeats.receivedAt} desc, ${refusedBeats.claimedAt} desc
      )`,
    })
    .from(sql`(select) as node`)
    .leftJoin(firstMonth, sql`true`)
    .leftJoin(firstBeat, sql`true`)
    .leftJoin(lastBeat, sql`true`)
    .leftJoin(heartbeatTotals, eq(heartbeatTotals.userId, sql.placeholder("userId")))
    .prepare("find_node");
});
