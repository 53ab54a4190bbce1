import { and, desc, eq, gte, isNull, ne, sql } from "drizzle-orm";
import type { Db, Tx } from "../db/client.ts";
import { column } from "../db/columns.ts";
import { hiddenValue } from "../db/hidden-value.ts";
import { prepared } from "../db/prepared.ts";
import { heartbeats, heartbeatTotals, nodeDevices, pointsLedger, pointsTotals, users } from "../db/schema.ts";
import { ALL_POINTS, sumIn } from "../points/queries.ts";

/**
 * Fills slots with beats, given as one array a column, and counts those that were empty, in one statement.
 * Returns the member and the time of each beat that counted. Where two beats claim a slot, the earlier one fills it. A
 * machine whose beat found its slot filled has its time noted all the same, so that it is not taken for silent.
 */
export const insertBeats = prepared((db) => {
  const beat = db.$with("beat", {}).as(sql`
      select * from unnest(
        ${hiddenValue("userIds", "uuid[]")}, ${hiddenValue("slotAts", "timestamptz[]")}, ${hiddenValue("beatAts", "timestamptz[]")},
        ${hiddenValue("receivedAts", "timestamptz[]")}, ${hiddenValue("deviceIds", "uuid[]")}
      ) as beat (user_id, slot_at, beat_at, received_at, device_id)`);

  const accepted = db.$with("accepted", {
    userId: column("user_id"),
    slotAt: sql`slot_at`.mapWith(heartbeats.slotAt).as("slot_at"),
    beatAt: sql`beat_at`.mapWith(heartbeats.beatAt).as("beat_at"),
  }).as(sql`
      insert into ${heartbeats} (user_id, slot_at, beat_at, received_at, device_id)
      select * from beat order by user_id, slot_at, beat_at
      on conflict (user_id, slot_at) do nothing
      returning user_id, slot_at, beat_at, device_id`);

  // Row by row in one order, so that no two statements wait for each other.
  const spare = db.$with("spare", {}).as(sql`
    update ${nodeDevices} as kept set last_spare_beat_at = spare.beat_at
    from (
      select device.user_id, device.id, spare.beat_at
      from (
        select user_id, device_id, max(beat_at) as beat_at
        from (select user_id, device_id, slot_at, beat_at from beat
          except select user_id, device_id, slot_at, beat_at from accepted) as unused
        where device_id is not null group by 1, 2
      ) as spare
      join ${nodeDevices} as device on device.user_id = spare.user_id and device.id = spare.device_id
      where device.last_spare_beat_at is null or device.last_spare_beat_at < spare.beat_at
      order by 1, 2 for no key update of device
    ) as spare
    where kept.user_id = spare.user_id and kept.id = spare.id`);

  const totals = db.$with("totals", {}).as(sql`
    insert into ${heartbeatTotals} as kept (user_id, heartbeats, last_beat_at)
    select user_id, count(*), max(beat_at) from accepted group by 1 order by 1
    on conflict (user_id) do update
    set heartbeats = kept.heartbeats + excluded.heartbeats,
        last_beat_at = greatest(kept.last_beat_at, excluded.last_beat_at)`);

  return db.with(beat, accepted, totals, spare).select().from(accepted).prepare("insert_beats");
});

/** How often the nodes of some members have beaten, and the points of each. Members without a row yet have none. */
export const findSums = prepared((db) =>
  db
    .select({
      userId: sql<string>`member.id`,
      heartbeats: sumIn(heartbeatTotals.heartbeats),
      pointsTotal: ALL_POINTS,
    })
    .from(sql`unnest(${hiddenValue("userIds", "uuid[]")}) as member (id)`)
    .leftJoin(heartbeatTotals, eq(heartbeatTotals.userId, sql`member.id`))
    .leftJoin(pointsTotals, eq(pointsTotals.userId, sql`member.id`))
    .prepare("find_heartbeat_sums"),
);

/** How often a member's nodes have beaten, and whether an event's points are in the ledger. */
export const findProgress = prepared((db) =>
  db
    .select({
      heartbeats: sumIn(heartbeatTotals.heartbeats),
      lastBeatAt: heartbeatTotals.lastBeatAt,
      claimed: sql<boolean>`exists (
        select from ${pointsLedger}
        where ${pointsLedger.userId} = ${users.id} and ${pointsLedger.source} = ${sql.placeholder("source")}
          and ${pointsLedger.sourceId} = ${sql.placeholder("sourceId")}
      )`,
    })
    .from(users)
    .leftJoin(heartbeatTotals, eq(heartbeatTotals.userId, users.id))
    .where(eq(users.id, sql.placeholder("userId")))
    .prepare("find_heartbeat_progress"),
);

/** A member's machines whose keys work, the latest first, with their last beat unless it is older than `since`. */
export const findDevices = prepared((db) => {
  const since = hiddenValue("since", "timestamptz");
  // So far and no further: for a machine that never beat, all the member's beats would be looked at.
  const lastBeat = db
    .select({ at: heartbeats.beatAt })
    .from(heartbeats)
    .where(
      and(
        eq(heartbeats.userId, nodeDevices.userId),
        gte(heartbeats.slotAt, since),
        eq(heartbeats.deviceId, nodeDevices.id),
      ),
    )
    .orderBy(desc(heartbeats.slotAt))
    .limit(1)
    .as("last_beat");
  return db
    .select({
      id: nodeDevices.id,
      name: nodeDevices.name,
      createdAt: nodeDevices.createdAt,
      lastBeatAt: sql`greatest(
        ${lastBeat.at}, case when ${nodeDevices.lastSpareBeatAt} >= ${since} then ${nodeDevices.lastSpareBeatAt} end
      )`.mapWith(nodeDevices.lastSpareBeatAt),
    })
    .from(nodeDevices)
    .leftJoinLateral(lastBeat, sql`true`)
    .where(and(eq(nodeDevices.userId, sql.placeholder("userId")), isNull(nodeDevices.revokedAt)))
    .orderBy(desc(nodeDevices.createdAt), desc(nodeDevices.id))
    .prepare("find_devices");
});

/** True for the revocation that is the first. */
export async function markRevoked(tx: Tx, { userId, id, at }: { userId: string; id: string; at: Date }) {
  const { rowCount } = await tx
    .update(nodeDevices)
    .set({ revokedAt: at })
    .where(and(eq(nodeDevices.userId, userId), eq(nodeDevices.id, id), isNull(nodeDevices.revokedAt)));
  return rowCount === 1;
}

/** How many other machines of a member's have a key: nobody makes one more until the transaction ends. */
export async function holdOtherDevices(tx: Tx, { userId, id }: { userId: string; id: string }): Promise<number> {
  await tx.select({ id: users.id }).from(users).where(eq(users.id, userId)).for("no key update");
  return tx.$count(
    nodeDevices,
    and(eq(nodeDevices.userId, userId), ne(nodeDevices.id, id), isNull(nodeDevices.revokedAt)),
  );
}

/** False for a machine that is there, and whose key was revoked. */
export async function putDevice(tx: Tx, device: typeof nodeDevices.$inferInsert): Promise<boolean> {
  const { rowCount } = await tx
    .insert(nodeDevices)
    .values(device)
    .onConflictDoUpdate({
      target: [nodeDevices.userId, nodeDevices.id],
      set: { keyHash: device.keyHash, name: device.name },
      setWhere: isNull(nodeDevices.revokedAt),
    });
  return rowCount === 1;
}

const deviceByHash = prepared((db) =>
  db
    .select({
      userId: nodeDevices.userId,
      deviceId: nodeDevices.id,
      revokedAt: nodeDevices.revokedAt,
      blockedAt: users.blockedAt,
    })
    .from(nodeDevices)
    .innerJoin(users, eq(users.id, nodeDevices.userId))
    .where(eq(nodeDevices.keyHash, sql.placeholder("hash")))
    .prepare("find_device"),
);

/** The node of a key, also of one that was revoked, or of a member who is blocked. */
export async function findNodeDevice(db: Db, key: { hash: Buffer }) {
  const [device] = await deviceByHash(db).execute(key);
  return device;
}
