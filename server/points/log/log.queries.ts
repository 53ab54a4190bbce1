import { sql } from "drizzle-orm";
import { opaqueParam } from "../../db/opaque-param.ts";
import { prepared } from "../../db/prepared.ts";
import { ledgerDays, pointsDaily, pointsLedger } from "../../db/schema.ts";
import type { PointsCategory } from "../contract.ts";
import { CATEGORY_BY_MONTH, IS_UNPARTITIONED, IS_LISTED, keptFromOf, mayBeIn } from "../ledger/listed.queries.ts";

const instant = (column: string) => sql`${sql.identifier(column)}`.mapWith(pointsLedger.occurredAt);

/**
 * Up to this many newer entries are skipped one by one. Finding the day on which a page begins costs more than that.
 */
const SHALLOW = 200;

type LogQuery = {
  category?: PointsCategory | undefined;
  /**
   * Whether the range has partial days at its ends. If not, a partitioned ledger's months are not opened to count them.
   */
  hasEdges: boolean;
};

/** An instant that is known before the query begins, so that months can be skipped by it. */
const plainInstant = (name: string) => sql`${sql.placeholder(name)}::timestamptz`;

/**
 * Builds the query for one page of the log, newest first. Every row carries the number of entries in the whole range
 * and their sum. An empty page has one empty row with both.
 *
 * Every page costs the same. A running sum over the days finds the day on which a deep page begins, so that the ledger
 * is read from there and at most one day's rows are skipped. Only the partial days at the ends of the range
 * (`edgeFrom`, `edgeUntil`) are counted row by row. Removed rows are on no page.
 *
 * Each category has its own query text. This tells the planner that some categories are rare, so that it reads those by
 * their index instead of scanning all entries, and that most categories are in no month.
 *
 * The indexes are NULLS LAST, and PostgreSQL only uses them for sorting if the query asks for exactly that.
 */
function buildPage({ category, hasEdges }: LogQuery) {
  const inCategory = category ? sql.raw(`and category = '${category}'`) : sql``;
  const isByMonth = category === undefined || category === CATEGORY_BY_MONTH;
  const isListed = isByMonth ? IS_LISTED : IS_UNPARTITIONED;
  const isInMonths = isByMonth
    ? sql`and ${mayBeIn({ from: plainInstant("from"), until: plainInstant("until") })}`
    : sql``;
  const edges = sql`
          union all
          select (edge.since at time zone 'UTC')::date, part.entries, part.points
          from unnest(${opaqueParam("edgeFrom", "timestamptz[]")}, ${opaqueParam("edgeUntil", "timestamptz[]")}) as edge (since, until),
          lateral (
            select count(*)::integer as entries, coalesce(sum(points), 0) as points from ${pointsLedger}
            where user_id = ${opaqueParam("userId", "uuid")} ${inCategory}
              and occurred_at >= edge.since and occurred_at < edge.until
              and ${isListed} ${isInMonths}
          ) as part`;
  const name = ["find_log_page", category?.toLowerCase(), hasEdges ? "with_edges" : undefined]
    .filter(Boolean)
    .join("_");
  return prepared((db) =>
    db
      .select({
        total: sql`total`.mapWith(Number),
        pointsTotal: sql`points_total`.mapWith(Number),
        keptFrom: sql<Date | null>`kept_from`.mapWith(pointsLedger.occurredAt),
        id: sql<string>`id`,
        category: sql<PointsCategory | null>`category`,
        points: sql`points`.mapWith(Number),
        comment: sql<string>`comment`,
        occurredAt: instant("occurred_at"),
      })
      .from(sql`(
        with spans as (
          select day, entries, points from ${pointsDaily}
          where user_id = ${opaqueParam("userId", "uuid")} ${inCategory}
            and day >= ${opaqueParam("firstDay", "date")} and day < ${opaqueParam("endDay", "date")}
          union all
          select day, -entries, -points from ${ledgerDays}
          where user_id = ${opaqueParam("userId", "uuid")} ${inCategory}
            and day >= ${opaqueParam("firstDay", "date")} and day < ${opaqueParam("endDay", "date")}
          ${hasEdges ? edges : sql``}
        ),
        running as (
          select day, sum(entries) as entries, sum(sum(entries)) over (order by day desc) - sum(entries) as newer
          from spans group by day
        ),
        beginning as (
          select ${opaqueParam("offset", "bigint")} - newer as skipped,
            least((day + 1)::timestamp at time zone 'UTC', ${opaqueParam("until", "timestamptz")}) as until
          from running
          where newer <= ${opaqueParam("offset", "bigint")} and ${opaqueParam("offset", "bigint")} < newer + entries
        )
        select (select coalesce(sum(entries), 0) from spans) as total,
          (select coalesce(sum(points), 0) from spans) as points_total,
          ${keptFromOf(opaqueParam("userId", "uuid"))} as kept_from, entry.*
        from (select) as page left join lateral (
          select category, points, comment, occurred_at, id from ${pointsLedger}
          where user_id = ${opaqueParam("userId", "uuid")} ${inCategory} and occurred_at >= ${opaqueParam("from", "timestamptz")}
            and occurred_at < case
              when ${opaqueParam("offset", "bigint")} <= ${sql.raw(`${SHALLOW}`)} then ${opaqueParam("until", "timestamptz")}
              else (select until from beginning)
            end
            and ${isListed} ${isInMonths}
          order by occurred_at desc nulls last, id desc nulls last
          limit ${opaqueParam("limit", "bigint")} offset case
            when ${opaqueParam("offset", "bigint")} <= ${sql.raw(`${SHALLOW}`)} then ${opaqueParam("offset", "bigint")}
            else (select skipped from beginning)
          end
        ) as entry on true
        order by occurred_at desc nulls last, id desc nulls last
      ) as page`)
      .prepare(name),
  );
}

type PageQuery = ReturnType<typeof buildPage>;

const buildAll = (hasEdges: boolean): Record<PointsCategory | "any", PageQuery> => ({
  any: buildPage({ hasEdges }),
  Connectivity: buildPage({ category: "Connectivity", hasEdges }),
  Referral: buildPage({ category: "Referral", hasEdges }),
  Rewards: buildPage({ category: "Rewards", hasEdges }),
  Others: buildPage({ category: "Others", hasEdges }),
});

const withoutEdges = buildAll(false);
const withEdges = buildAll(true);

/** Returns the query for a page of one category, or of all. */
export const findPage = ({ category, hasEdges }: LogQuery): PageQuery =>
  (hasEdges ? withEdges : withoutEdges)[category ?? "any"];
