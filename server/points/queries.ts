import { and, between, eq, sql, type SQL } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";
import type { Tx } from "../db/client.ts";
import { prepared } from "../db/prepared.ts";
import { heartbeatTotals, pointsDaily, pointsLedger, pointsTotals, referralTotals, users } from "../db/schema.ts";

/** A sum of a member, or zero if they have no row yet. Numeric columns arrive as text. */
export const sumIn = (column: PgColumn): SQL<number> => sql`coalesce(${column}, 0)`.mapWith(Number);

/** The sum of all of a member's points. */
export const ALL_POINTS = sql`coalesce(${pointsTotals.connectivity} + ${pointsTotals.referral} + ${pointsTotals.rewards}
  + ${pointsTotals.others}, 0)`.mapWith(Number);

/** All stored sums of a member, for a query that joins the three tables of totals. */
export const MEMBER_SUMS = {
  connectivity: sumIn(pointsTotals.connectivity),
  referral: sumIn(pointsTotals.referral),
  rewards: sumIn(pointsTotals.rewards),
  others: sumIn(pointsTotals.others),
  heartbeats: sumIn(heartbeatTotals.heartbeats),
  lastBeatAt: heartbeatTotals.lastBeatAt,
  invited: sumIn(referralTotals.invited),
  successful: sumIn(referralTotals.successful),
  referralPoints: sumIn(referralTotals.points),
};

/**
 * Finds everything that the header and the stats show, in one lookup by key. Its cost does not grow with the ledger.
 */
export const findStats = prepared((db) =>
  db
    .select({
      genesisSnapshot: users.heartbeatsGenesisSnapshot,
      ...MEMBER_SUMS,
      today: sql`(
        select coalesce(sum(${pointsDaily.points}), 0) from ${pointsDaily}
        where ${pointsDaily.userId} = ${users.id} and ${pointsDaily.day} = ${sql.placeholder("today")}
      )`.mapWith(Number),
    })
    .from(users)
    .leftJoin(pointsTotals, eq(pointsTotals.userId, users.id))
    .leftJoin(heartbeatTotals, eq(heartbeatTotals.userId, users.id))
    .leftJoin(referralTotals, eq(referralTotals.userId, users.id))
    .where(eq(users.id, sql.placeholder("userId")))
    .prepare("find_stats"),
);

const pointsIn = (category: string) =>
  sql`coalesce(sum(${pointsDaily.points}) filter (where ${pointsDaily.category} = ${sql.raw(`'${category}'`)}), 0)`.mapWith(
    Number,
  );

/** Finds the days from `first` to `last` that have entries, one row each. */
export const findDays = prepared((db) =>
  db
    .select({
      day: pointsDaily.day,
      connectivity: pointsIn("Connectivity"),
      referral: pointsIn("Referral"),
      rewards: pointsIn("Rewards"),
      total: sql`sum(${pointsDaily.points})`.mapWith(Number),
      entries: sql`sum(${pointsDaily.entries})`.mapWith(Number),
    })
    .from(pointsDaily)
    .where(
      and(
        eq(pointsDaily.userId, sql.placeholder("userId")),
        between(pointsDaily.day, sql.placeholder("first"), sql.placeholder("last")),
      ),
    )
    .groupBy(pointsDaily.day)
    .prepare("find_point_days"),
);

/** Finds the ledger row of a member's event, or undefined if there is none. */
export async function findPosted(
  tx: Tx,
  { userId, source, sourceId }: { userId: string; source: string; sourceId: string },
) {
  const isOf = [eq(pointsLedger.userId, userId), eq(pointsLedger.source, source), eq(pointsLedger.sourceId, sourceId)];
  const { category, points } = pointsLedger;
  const [entry] = await tx
    .select({ category, points })
    .from(pointsLedger)
    .where(and(...isOf));
  return entry;
}
