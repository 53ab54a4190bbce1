import { sql } from "drizzle-orm";
import { opaqueParam } from "../../db/opaque-param.ts";
import { prepared } from "../../db/prepared.ts";
import { ledgerDays, pointsLedger } from "../../db/schema.ts";
import type { PointsCategory } from "../contract.ts";
import { IS_LISTED, keptFromOf, mayBeIn } from "../ledger/listed.queries.ts";
import { runningTotal } from "./running-total.queries.ts";

/**
 * Finds the next rows of a range, newest first, after a given position in the log. It returns every category, because
 * each running total depends on the rows before it. Each batch computes the total of its newest row again, so that it
 * is correct even if rows were posted since the previous batch. Removed rows count at the start of their day.
 */
export const findExportBatch = prepared((db) =>
  db
    .select({
      id: sql<string>`id`,
      occurredAt: sql`occurred_at`.mapWith(pointsLedger.occurredAt),
      category: sql<PointsCategory>`category`,
      points: sql`points`.mapWith(Number),
      comment: sql<string>`comment`,
      source: sql<string>`source`,
      sourceId: sql<string>`source_id`,
      rule: sql<string>`rule`,
      ruleVersion: sql`rule_version`.mapWith(Number),
      runningTotal: sql`running_total`.mapWith(Number),
    })
    .from(sql`(
      with batch as materialized (
        select * from ${pointsLedger}
        where user_id = ${opaqueParam("userId", "uuid")} and occurred_at >= ${opaqueParam("from", "timestamptz")}
          and (occurred_at, id) < (${opaqueParam("beforeAt", "timestamptz")}, ${opaqueParam("beforeId", "uuid")})
          and ${IS_LISTED}
          and ${mayBeIn({ from: opaqueParam("from", "timestamptz"), until: opaqueParam("beforeAt", "timestamptz") })}
        order by occurred_at desc nulls last, id desc nulls last
        limit ${opaqueParam("limit", "bigint")}
      ),
      newest as materialized (
        select user_id, occurred_at, id from batch order by occurred_at desc, id desc limit 1
      ),
      latest as materialized (
        select running.total from newest, lateral (${runningTotal({
          userId: sql`newest.user_id`,
          at: sql`newest.occurred_at`,
          id: sql`newest.id`,
        })}) as running
      ),
      steps as (
        select id, occurred_at, category, points, comment, source, source_id, rule, rule_version from batch
        union all
        select null, gone.day::timestamp at time zone 'UTC', null, sum(gone.points), null, null, null, null, null
        from ${ledgerDays} as gone, newest, (select min(occurred_at) as at from batch) as oldest
        where gone.user_id = newest.user_id and gone.day <= (newest.occurred_at at time zone 'UTC')::date
          and gone.day > (oldest.at at time zone 'UTC')::date
        group by gone.day
      ),
      totals as (
        select steps.*, latest.total + points
          - sum(points) over (order by occurred_at desc, id desc nulls last rows unbounded preceding) as running_total
        from steps, latest
      )
      select * from totals where id is not null order by occurred_at desc, id desc
    ) as batch`)
    .prepare("find_export_batch"),
);

/** Since when a member's heartbeats have rows. */
export const findKeptFrom = prepared((db) =>
  db
    .select({
      at: sql<Date | null>`${keptFromOf(opaqueParam("userId", "uuid"))}`.mapWith(pointsLedger.occurredAt),
    })
    .from(sql`(select) as log`)
    .prepare("find_kept_from"),
);
