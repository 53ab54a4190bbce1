import { sql } from "drizzle-orm";
import { column } from "../../db/columns.ts";
import { opaqueParam } from "../../db/opaque-param.ts";
import { prepared } from "../../db/prepared.ts";
import { pointsDaily, pointsLedger, pointsTotals } from "../../db/schema.ts";
import type { PointsCategory } from "../contract.ts";

const sumOf = (category: PointsCategory) =>
  sql`coalesce(sum(points) filter (where category = ${sql.raw(`'${category}'`)}), 0)`;

/**
 * Posts entries, given as one array per column, and updates the sums. It is a single statement, so both happen or
 * neither. Only entries that are new to the ledger count. Rows are locked in key order, so that two postings for the
 * same members wait for each other instead of deadlocking.
 */
export const insertEntries = prepared((db) => {
  const posted = db.$with("posted", {
    userId: column("user_id"),
    id: column("id"),
    source: column("source"),
    sourceId: column("source_id"),
  }).as(sql`
      insert into ${pointsLedger}
        (user_id, id, category, points, comment, source, source_id, rule, rule_version, occurred_at)
      select * from unnest(
        ${opaqueParam("userIds", "uuid[]")}, ${opaqueParam("ids", "uuid[]")}, ${opaqueParam("categories", "text[]")},
        ${opaqueParam("points", "numeric[]")}, ${opaqueParam("comments", "text[]")}, ${opaqueParam("sources", "text[]")},
        ${opaqueParam("sourceIds", "text[]")}, ${opaqueParam("rules", "text[]")}, ${opaqueParam("ruleVersions", "smallint[]")},
        ${opaqueParam("occurredAts", "timestamptz[]")}
      ) as entry (user_id, id, category, points, comment, source, source_id, rule, rule_version, occurred_at)
      order by user_id, source, source_id
      on conflict (user_id, source, source_id) do nothing
      returning *`);

  const daily = db.$with("daily", {}).as(sql`
    insert into ${pointsDaily} as kept (user_id, day, category, points, entries)
    select user_id, (occurred_at at time zone 'UTC')::date, category, sum(points), count(*) from posted
    group by 1, 2, 3 order by 1, 2, 3
    on conflict (user_id, day, category) do update
    set points = kept.points + excluded.points, entries = kept.entries + excluded.entries`);

  const totals = db.$with("totals", {}).as(sql`
    insert into ${pointsTotals} as kept (user_id, connectivity, referral, rewards, others)
    select user_id, ${sumOf("Connectivity")}, ${sumOf("Referral")}, ${sumOf("Rewards")}, ${sumOf("Others")} from posted
    group by 1 order by 1
    on conflict (user_id) do update
    set connectivity = kept.connectivity + excluded.connectivity, referral = kept.referral + excluded.referral,
        rewards = kept.rewards + excluded.rewards, others = kept.others + excluded.others`);

  return db.with(posted, daily, totals).select().from(posted).prepare("insert_entries");
});
