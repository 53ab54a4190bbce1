import { and, asc, desc, eq, sql } from "drizzle-orm";
import { hiddenValue } from "../db/hidden-value.ts";
import { prepared } from "../db/prepared.ts";
import { heartbeats, nodeDevices } from "../db/schema.ts";

const isTheirs = eq(heartbeats.userId, sql.placeholder("userId"));

/**
 * Those slots of `slotSeconds` from `first` to `last` in which a beat fell, or into which an earlier one reaches: its
 * interval began up to `reach` seconds before. One look into the primary key for each slot, however many beats there
 * are: with an interval of seconds a week has hundreds of thousands.
 */
export const findFilledSlots = prepared((db) => {
  const length = sql`make_interval(secs => ${hiddenValue("slotSeconds", "numeric")}::float8)`;
  const reach = sql`make_interval(secs => ${hiddenValue("reach", "numeric")}::float8)`;
  const filled = db.$with("filled", { slotAt: sql`slot_at`.mapWith(heartbeats.slotAt).as("slot_at") }).as(sql`
    select strip.slot_at
    from generate_series(${hiddenValue("first", "timestamptz")}, ${hiddenValue("last", "timestamptz")}, ${length})
      as strip (slot_at)
    cross join lateral (
      select from ${heartbeats}
      where ${isTheirs} and ${heartbeats.slotAt} >= strip.slot_at - ${reach}
        and ${heartbeats.slotAt} < strip.slot_at + ${length}
      limit 1
    ) as beat`);
  return db.with(filled).select().from(filled).prepare("find_filled_slots");
});

export const findFirstBeat = prepared((db) =>
  db
    .select({ slotAt: heartbeats.slotAt })
    .from(heartbeats)
    .where(isTheirs)
    .orderBy(asc(heartbeats.slotAt))
    .limit(1)
    .prepare("find_first_beat"),
);

/** The last beat, and the name of the machine it came from. */
export const findLastBeat = prepared((db) =>
  db
    .select({ at: heartbeats.beatAt, device: nodeDevices.name })
    .from(heartbeats)
    .leftJoin(nodeDevices, and(eq(nodeDevices.userId, heartbeats.userId), eq(nodeDevices.id, heartbeats.deviceId)))
    .where(isTheirs)
    .orderBy(desc(heartbeats.slotAt))
    .limit(1)
    .prepare("find_last_beat"),
);
