import { uuidv7 } from "uuidv7";
import type { Db, Tx } from "../db/client.ts";
import type { Deps } from "../deps.ts";
import { AppError } from "../errors.ts";
import { roundPoints, sumPoints, toNumeric } from "./amount.ts";
import { toBreakdown } from "./breakdown.ts";
import type {
  PointsCategory,
  PointsDay,
  PointsHistory,
  PointsHistoryQuery,
  PointsLog,
  PointsLogQuery,
  PointsRange,
  UserStats,
} from "./contract.ts";
import { toLogRange } from "./log/log-range.ts";
import { findPage } from "./log/log.queries.ts";
import { insertEntries } from "./ledger/posting.queries.ts";
import { findDays, findStats } from "./queries.ts";
import type { PointsRule } from "./rules.ts";
import { DAY_MS, lastUtcDays, utcDay } from "./utc-day.ts";

export type PointsEntry = {
  userId: string;
  rule: PointsRule;
  /** The id of the event that earned the points. Each counts once per member and source. */
  sourceId: string;
  points: number;
  comment: string;
  occurredAt: Date;
};

type PostedEntry = { userId: string; id: string; source: string; sourceId: string };

/**
 * Appends entries to the ledger and updates every sum, in one statement. Skips events that were already posted, and
 * returns the entries that are new. Throws RangeError for an amount with more than two decimals.
 */
export async function postPoints(tx: Tx, entries: readonly PointsEntry[]): Promise<PostedEntry[]> {
  if (entries.length === 0) return [];
  return insertEntries(tx).execute({
    userIds: entries.map(({ userId }) => userId),
    ids: entries.map(() => uuidv7()),
    categories: entries.map(({ rule }) => rule.category),
    points: entries.map(({ points }) => toNumeric(points)),
    comments: entries.map(({ comment }) => comment),
    sources: entries.map(({ rule }) => rule.source),
    sourceIds: entries.map(({ sourceId }) => sourceId),
    rules: entries.map(({ rule }) => rule.rule),
    ruleVersions: entries.map(({ rule }) => rule.version),
    occurredAts: entries.map(({ occurredAt }) => occurredAt.toISOString()),
  });
}

type ReadDeps = Pick<Deps, "now"> & { db: Db | Tx };

/** Reads a member's stats. Throws NOT_FOUND if there is no such member. */
export async function readStats({ db, now }: ReadDeps, userId: string): Promise<UserStats> {
  const today = utcDay(now());
  const [found] = await findStats(db).execute({ userId, today });
  if (!found) throw new AppError("NOT_FOUND", "There is no such member.");
  return toStats(userId, found, today);
}

/** Reads a member's points by category, as this transaction sees them. */
export async function readSums(
  tx: Tx,
  { userId, now }: { userId: string; now: Date },
): Promise<Record<PointsCategory, number>> {
  const [sums] = await findStats(tx).execute({ userId, today: utcDay(now) });
  const { connectivity = 0, referral = 0, rewards = 0, others = 0 } = sums ?? {};
  return { Connectivity: connectivity, Referral: referral, Rewards: rewards, Others: others };
}

type Sums = Awaited<ReturnType<ReturnType<typeof findStats>["execute"]>>[number];

/** Builds a member's stats for a day from their stored sums. */
export function toStats(userId: string, found: Sums, today: string): UserStats {
  const { connectivity, referral, rewards, others } = found;
  return {
    user_id: userId,
    heartbeats: found.heartbeats,
    heartbeats_genesis_snapshot: found.genesisSnapshot,
    last_heartbeat_at: found.lastBeatAt?.toISOString() ?? null,
    points_today: found.today,
    today,
    points_total: sumPoints([connectivity, referral, rewards, others]),
    total_referrals: found.invited,
    successful_referrals: found.successful,
    total_referral_points: found.referralPoints,
    total_includes_all_points: true,
    points_breakdown: toBreakdown({ connectivity, referral, rewards, others }),
  };
}

const DAYS: Record<PointsRange, number> = { last7days: 7, last30days: 30, last90days: 90 };

/** Reads every UTC day of a range, including days without points. The average counts them too. */
export async function readPointsHistory(
  { db, now }: ReadDeps,
  userId: string,
  query: PointsHistoryQuery,
): Promise<PointsHistory> {
  const { days, range } = listDays(query, now());
  const found = await findDays(db).execute({ userId, first: days.at(0), last: days.at(-1) });
  const byDay = new Map(found.map((row) => [row.day, row]));
  const pointsTotal = sumPoints(found.map(({ total }) => total));
  return {
    success: true,
    range,
    totalEntries: found.reduce((sum, { entries }) => sum + entries, 0),
    pointsTotal,
    history: { average: roundPoints(pointsTotal / days.length), data: days.map((day) => toDay(day, byDay.get(day))) },
  };
}

/** Returns the days of a range and its name: `last7days`, or an interval as in ISO 8601. */
function listDays({ range = "last7days", startDate, endDate }: PointsHistoryQuery, today: Date) {
  if (!startDate || !endDate) return { range, days: lastUtcDays(today, DAYS[range]) };
  const last = new Date(endDate);
  const count = (last.getTime() - Date.parse(startDate)) / DAY_MS + 1;
  return { range: `${startDate}/${endDate}`, days: lastUtcDays(last, count) };
}

function toDay(date: string, sums?: Omit<PointsDay, "date">): PointsDay {
  const { connectivity = 0, referral = 0, rewards = 0, total = 0 } = sums ?? {};
  return { date, connectivity, referral, rewards, total };
}

/** Reads one page of the member's entries, newest first, with the number and the sum of all entries in the range. */
export async function readPointsLog(
  { db }: Pick<ReadDeps, "db">,
  userId: string,
  query: PointsLogQuery,
): Promise<PointsLog> {
  const { category, limit, page } = query;
  const range = toLogRange(query);
  if (!range) return { data: [], total: 0, pointsTotal: 0 };
  const find = findPage({ category, hasEdges: range.edgeFrom.length > 0 });
  const rows = await find(db).execute({ userId, limit, offset: (page - 1) * limit, ...range });
  const { total = 0, pointsTotal = 0, keptFrom = null } = rows[0] ?? {};
  return {
    total,
    pointsTotal,
    ...(keptFrom && { heartbeatsSince: keptFrom.toISOString() }),
    data: rows.flatMap(({ id, category, points, comment, occurredAt }) =>
      category ? { id, category, points, comment, timestamp: occurredAt.toISOString() } : [],
    ),
  };
}
