import { randomUUID } from "node:crypto";
import type { Pool, PoolClient } from "pg";

/*
 * How fast PostgreSQL takes the same rows without any checks of the sender: bare INSERTs into copies of the tables,
 * with their indexes, on as many connections as the server has, each statement committed separately.
 */

type BareOptions = { pool: Pool; users: string[]; batch: number; newest: number; interval: number; seconds: number };

const BEATS = `insert into bare_heartbeats (user_id, slot_at, beat_at)
  select $1::uuid, beat, beat from unnest($2::timestamptz[]) as beat`;
const ENTRIES = `insert into bare_ledger
    (user_id, id, category, points, comment, source, source_id, rule, rule_version, occurred_at)
  select $1::uuid, id, 'Connectivity', 25, 'Heartbeat', 'heartbeat', beat::text, 'points-per-heartbeat', 1, beat
  from unnest($2::timestamptz[], $3::uuid[]) as entry (beat, id)`;

/** Creates the copies, empty. */
async function createBareTables(pool: Pool): Promise<void> {
  await pool.query(`drop table if exists bare_heartbeats, bare_ledger;
    create table bare_heartbeats (like heartbeats including all);
    create table bare_ledger (like points_ledger including all)`);
}

/** Returns rows per second, of heartbeats alone, and of heartbeats with their ledger rows in one statement. */
export async function insertBare(options: BareOptions): Promise<{ beats: number; both: number }> {
  await createBareTables(options.pool);
  const beats = await measure(options, (client, userId, times) =>
    client.query({ name: "bare_beats", text: BEATS, values: [userId, times] }),
  );
  await createBareTables(options.pool);
  const text = `with beats as (${BEATS}) ${ENTRIES}`;
  const both = await measure(options, (client, userId, times) =>
    client.query({ name: "bare_both", text, values: [userId, times, times.map(() => randomUUID())] }),
  );
  return { beats, both };
}

type Insert = (client: PoolClient, userId: string, times: string[]) => Promise<unknown>;

async function measure({ batch, interval, newest, pool, seconds, users }: BareOptions, insert: Insert) {
  let rows = 0;
  let turn = 0;
  const start = performance.now();
  const worker = async () => {
    const client = await pool.connect();
    while (performance.now() - start < seconds * 1000) {
      const at = turn++;
      const from = Math.floor(at / users.length) * batch;
      const times = Array.from({ length: batch }, (_, index) =>
        new Date(newest - (from + index) * interval).toISOString(),
      );
      await insert(client, users[at % users.length] ?? "", times);
      rows += batch;
    }
    client.release();
  };
  await Promise.all(Array.from({ length: pool.options.max }, worker));
  return rows / ((performance.now() - start) / 1000);
}
