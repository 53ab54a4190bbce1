import { Client } from "pg";
import type { TrafficMember } from "./network.ts";
import type { TrafficResult, Write } from "./traffic.ts";

type WriteCheck = { acknowledged: number; lost: number; doubled: number };

/** Checks what was written: every acknowledged write must be there, and none twice, acknowledged or not. */
export async function checkWrites(
  databaseUrl: string,
  members: TrafficMember[],
  { acknowledged, attempted }: Pick<TrafficResult, "acknowledged" | "attempted">,
): Promise<WriteCheck> {
  const client = new Client(databaseUrl);
  await client.connect();
  try {
    const found = new Map<string, number>();
    const count = (key: string) => found.set(key, (found.get(key) ?? 0) + 1);
    for (const kind of ["beat", "device"] as const) {
      for (const { mark, userId } of (await client.query<Found>(FIND[kind])).rows) count(`${kind} ${userId} ${mark}`);
    }
    const times = ({ kind, mark, member }: Write) => found.get(`${kind} ${members[member]?.userId} ${mark}`) ?? 0;
    return {
      acknowledged: acknowledged.length,
      lost: acknowledged.filter((write) => times(write) === 0).length,
      doubled: attempted.filter((write) => times(write) > 1).length,
    };
  } finally {
    await client.end();
  }
}

type Found = { userId: string; mark: string };

/** A heartbeat without its points counts as lost, too. */
const FIND = {
  beat: `select heartbeats.user_id as "userId",
      to_char(beat_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as mark
    from heartbeats
    join points_ledger on points_ledger.user_id = heartbeats.user_id and source = 'heartbeat' and occurred_at = beat_at`,
  device: `select user_id as "userId", name as mark from node_devices`,
};
