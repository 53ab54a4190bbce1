import { sql, type SQL } from "drizzle-orm";
import type { Tx } from "../../db/client.ts";
import { limitStatements } from "../../db/transaction.ts";
import { IS_LISTED } from "./listed.queries.ts";

/** A table of sums, and the query that recomputes it. */
type Sums = {
  table: string;
  /** The columns that identify a row, besides the member. */
  keys: string[];
  /** The columns with sums, and the value that a missing row stands for. */
  values: Record<string, "0" | "null">;
  make: (member: SQL) => SQL;
};

/** All entries of the ledger: the rows that still count, and the sums of those that were removed. */
const ENTRIES = sql`(
  select user_id, (occurred_at at time zone 'UTC')::date as day, category, points, 1 as entries
  from points_ledger where ${IS_LISTED}
  union all
  select user_id, day, category, points, entries from ledger_days
) as entry`;

/** In the order in which the services lock them, so that a repair and a posting do not deadlock. */
const SUMS: Sums[] = [
  {
    table: "heartbeat_totals",
    keys: [],
    values: { heartbeats: "0", last_beat_at: "null" },
    // Removed months have sums, and so does a month whose rows are just being removed.
    make: (member) => sql`
      select user_id, sum(heartbeats) as heartbeats, max(last_beat_at) as last_beat_at
      from (
        select user_id, count(*) as heartbeats, max(beat_at) as last_beat_at from heartbeats
        where slot_at >= coalesce((select kept_from from monthly_tables where name = 'heartbeats'), '-infinity')
        group by 1
        union all
        select user_id, sum(heartbeats), max(last_beat_at) from heartbeat_months group by 1
      ) as beats ${member} group by 1`,
  },
  {
    table: "content_totals",
    keys: [],
    values: { contributions: "0" },
    make: (member) => sql`
      select user_id, count(*) as contributions from content_contributions ${member} group by 1`,
  },
  {
    table: "points_totals",
    keys: [],
    values: { connectivity: "0", referral: "0", rewards: "0", others: "0" },
    make: (member) => sql`
      select user_id,
        coalesce(sum(points) filter (where category = 'Connectivity'), 0) as connectivity,
        coalesce(sum(points) filter (where category = 'Referral'), 0) as referral,
        coalesce(sum(points) filter (where category = 'Rewards'), 0) as rewards,
        coalesce(sum(points) filter (where category = 'Others'), 0) as others
      from ${ENTRIES} ${member} group by 1`,
  },
  {
    table: "points_daily",
    keys: ["day", "category"],
    values: { points: "0", entries: "0" },
    make: (member) => sql`
      select user_id, day, category, sum(points) as points, sum(entries) as entries
      from ${ENTRIES} ${member} group by 1, 2, 3`,
  },
  {
    table: "referral_totals",
    keys: [],
    values: { invited: "0", successful: "0", points: "0" },
    make: (member) => sql`
      select user_id, count(*) as invited, count(claimed_at) as successful,
        coalesce(sum(invited_points) filter (where claimed_at is not null), 0) as points
      from (
        select inviter_id as user_id, claimed_at, invited_points from referrals where review is distinct from 'refused'
      ) as invitations ${member} group by 1`,
  },
];

export type Difference = {
  table: string;
  userId: string;
  /** The day and category, if the table has them. */
  part: string;
  kept: Record<string, number | string | null>;
  made: Record<string, number | string | null>;
};

/**
 * Returns every stored sum, of any member, that differs from the rows it sums. Reports each table before comparing it.
 */
export async function findDifferences(tx: Tx, report: (line: string) => void): Promise<Difference[]> {
  const found: Difference[] = [];
  await limitStatements(tx, 0);
  // Locks before the snapshot is taken. A month removed after the snapshot would be missing, and its sums not visible
  // yet.
  await tx.execute(sql`lock table heartbeats, points_ledger in access share mode`);
  for (const [index, sums] of SUMS.entries()) {
    report(`Comparing ${sums.table} with what it sums (${index + 1} of ${SUMS.length}).`);
    const { rows } = await tx.execute<Omit<Difference, "table">>(compare(sums));
    for (const row of rows) found.push({ table: sums.table, ...row });
  }
  return found;
}

function compare({ table, keys, values, make }: Sums): SQL {
  const columns = Object.entries(values);
  const side = (name: "kept" | "made") => ({
    object: columns.map(([column, none]) => `'${column}', coalesce(${name}.${column}, ${none})`).join(", "),
    row: columns.map(([column, none]) => `coalesce(${name}.${column}, ${none})`).join(", "),
  });
  const [kept, made] = [side("kept"), side("made")];
  return sql`
    select user_id as "userId", concat_ws(' ', ${sql.raw(keys.join(", ") || "null")}) as part,
      json_build_object(${sql.raw(kept.object)}) as kept, json_build_object(${sql.raw(made.object)}) as made
    from ${sql.identifier(table)} as kept full join (${make(sql``)}) as made
      using (${sql.raw(["user_id", ...keys].join(", "))})
    where (${sql.raw(kept.row)}) is distinct from (${sql.raw(made.row)})
    order by user_id, part`;
}

/** Replaces a member's sums with recomputed ones. A posting at the same time waits, and then adds to them. */
export async function rebuildSums(tx: Tx, userId: string): Promise<void> {
  const member = sql`where user_id = ${userId}`;
  for (const { table, keys, values, make } of SUMS) {
    const name = sql.identifier(table);
    // Makes sure that there is a row to lock: without one, a posting would not wait.
    if (keys.length === 0) {
      await tx.execute(sql`
        insert into ${name} (user_id) values (${userId}) on conflict (user_id) do update set user_id = excluded.user_id`);
    }
    await tx.execute(sql`delete from ${name} ${member}`);
    const columns = sql.raw(["user_id", ...keys, ...Object.keys(values)].join(", "));
    await tx.execute(sql`insert into ${name} (${columns}) select ${columns} from (${make(member)}) as made`);
  }
}
