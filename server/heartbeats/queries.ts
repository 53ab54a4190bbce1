import { and, desc, eq, gte, isNull, ne, sql } from "drizzle-orm";
import type { Db, Tx } from "../db/client.ts";
import { column } from "../db/columns.ts";
import { opaqueParam } from "../db/opaque-param.ts";
import { prepared } from "../db/prepared.ts";
import { heartbeats, heartbeatTotals, nodeDevices, pointsLedger, pointsTotals, users } from "../db/schema.ts";
import { ALL_POINTS, sumIn } from "../points/queries.ts";

/**
 * Fills slots with heartbeats, given as one array per column, and counts those that were empty, in one statement.
 * Returns the member, the slot and the time of each heartbeat that counted. If two heartbeats claim a slot, the earlier
 * one fills it. A machine whose heartbeat found its slot filled gets the time recorded anyway, so that it does not
 * appear silent.
 */
export const insertBeats = prepared((db) => {
  const beat = db.$with("beat", {}).as(sql`
      select * from unnest(
        ${opaqueParam("userIds", "uuid[]")}, ${opaqueParam("slotAts", "timestamptz[]")}, ${opaqueParam("beatAts", "timestamptz[]")},
        ${opaqueParam("receivedAts", "timestamptz[]")}, ${opaqueParam("deviceIds", "uuid[]")}
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

  // Locks rows in a fixed order, so that two such statements cannot deadlock.
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

/** Finds how many heartbeats some members have sent, and their points. Both are zero for a member without a row yet. */
export const findSums = prepared((db) =>
  db
    .select({
      userId: sql<string>`member.id`,
      heartbeats: sumIn(heartbeatTotals.heartbeats),
      pointsTotal: ALL_POINTS,
    })
    .from(sql`unnest(${opaqueParam("userIds", "uuid[]")}) as member (id)`)
    .leftJoin(heartbeatTotals, eq(heartbeatTotals.userId, sql`member.id`))
    .leftJoin(pointsTotals, eq(pointsTotals.userId, sql`member.id`))
    .prepare("find_heartbeat_sums"),
);

/** Finds how many heartbeats a member has sent, and whether an event's points are in the ledger. */
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

/**
 * Finds a member's machines with a valid key, newest first, with their last heartbeat unless it is older than `since`.
 */
export const findDevices = prepared((db) => {
  const since = opaqueParam("since", "timestamptz");
  // Limited to `since`. Otherwise a machine that never sent a heartbeat would cost a scan of all of the member's.
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

/** Marks a key as revoked. Returns true only for the first revocation. */
export async function markRevoked(tx: Tx, { userId, id, at }: { userId: string; id: string; at: Date }) {
  const { rowCount } = await tx
    .update(nodeDevices)
    .set({ revokedAt: at })
    .where(and(eq(nodeDevices.userId, userId), eq(nodeDevices.id, id), isNull(nodeDevices.revokedAt)));
  return rowCount === 1;
}

/**
 * Counts a member's other machines with a key. Locks the member, so that no key is added until the transaction ends.
 */
export async function lockMemberAndCountDevices(
  tx: Tx,
  { userId, id }: { userId: string; id: string },
): Promise<number> {
  await tx.select({ id: users.id }).from(users).where(eq(users.id, userId)).for("no key update");
  return tx.$count(
    nodeDevices,
    and(eq(nodeDevices.userId, userId), ne(nodeDevices.id, id), isNull(nodeDevices.revokedAt)),
  );
}

/** Adds a machine, or gives an existing one a new key. Returns false if its key was revoked. */
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

const devicesByHash = prepared((db) =>
  db
    .select({
      keyHash: nodeDevices.keyHash,
      userId: nodeDevices.userId,
      deviceId: nodeDevices.id,
      revokedAt: nodeDevices.revokedAt,
      blockedAt: users.blockedAt,
    })
    .from(nodeDevices)
    .innerJoin(users, eq(users.id, nodeDevices.userId))
    .where(eq(nodeDevices.keyHash, sql`any(${opaqueParam("hashes", "bytea[]")}::bytea[])`))
    .prepare("find_devices_by_key"),
);

/**
 * Finds the machines of some keys, even if a key was revoked or its member is blocked. Returns them in the order of the
 * hashes, with undefined for an unknown key.
 */
export async function findNodeDevices(db: Db, hashes: readonly Buffer[]) {
  const devices = await devicesByHash(db).execute({ hashes });
  const byHash = new Map(devices.map(({ keyHash, ...device }) => [keyHash.toString("base64"), device]));
  return hashes.map((hash) => byHash.get(hash.toString("base64")));
}
