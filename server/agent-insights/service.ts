import { uuidv7 } from "uuidv7";
import type { Tx } from "../db/client.ts";
import type { Deps } from "../deps.ts";
import type { Env } from "../env.ts";
import { sumPoints } from "../points/amount.ts";
import { postPoints } from "../points/service.ts";
import { utcDay } from "../points/utc-day.ts";
import type { ContentKind, ContentPointsHistory } from "./contract.ts";
import { findContributions, findNewContributions, holdContent, insertContributions } from "./queries.ts";
import { CONTENT_POINTS, CONTENT_RULE } from "./earning.ts";

export type Contribution = {
  userId: string;
  kind: ContentKind;
  /** The gatherer's own id of the item: each counts once per member and kind. */
  reference: string;
  title: string;
  gatheredAt: Date;
};

const LABELS: Record<ContentKind, string> = { profile: "Profile", post: "Post", comment: "Comment" };

/** An item that is new, with the points it earned: none beyond its day's cap. */
export type Addition = Pick<Contribution, "userId" | "kind" | "reference"> & { points: number };

export type ContentSettings = Pick<Env, "contentPointsPerDay">;

/** Stores what members' nodes gathered and posts the points for it. Returns the new items. */
export async function recordContributions(
  tx: Tx,
  contributions: readonly Contribution[],
  { contentPointsPerDay: dailyCap }: ContentSettings,
): Promise<Addition[]> {
  if (contributions.length === 0) return [];
  const columns = toColumns(contributions);
  await holdContent(tx).execute({ userIds: columns.userIds });
  const found = await findNewContributions(tx).execute(columns);
  const fresh = decidePoints(contributions, found, dailyCap);
  if (fresh.length === 0) return [];
  const added = await insertContributions(tx).execute({
    ...toColumns(fresh),
    ids: fresh.map(() => uuidv7()),
    titles: fresh.map(({ title }) => title),
    points: fresh.map(({ points }) => points),
  });
  await postPoints(
    tx,
    added
      .filter(({ points }) => points > 0)
      .map(({ userId, kind, reference, title, points, gatheredAt }) => ({
        userId,
        rule: CONTENT_RULE,
        sourceId: `${kind}:${reference}`,
        points,
        comment: `${LABELS[kind]}: ${title}`,
        occurredAt: gatheredAt,
      })),
  );
  return added;
}

const toColumns = (contributions: readonly Contribution[]) => ({
  userIds: contributions.map(({ userId }) => userId),
  kinds: contributions.map(({ kind }) => kind),
  references: contributions.map(({ reference }) => reference),
  gatheredAts: contributions.map(({ gatheredAt }) => gatheredAt.toISOString()),
});

type Found = { index: number; /** What the item's day has earned so far. */ earned: number };

/**
 * Returns the new items with their points, decided in order: an item earns its points if the sum of its UTC day stays
 * within the cap. One that earns none uses up nothing, so a batch earns the same in one call as in several.
 */
function decidePoints(contributions: readonly Contribution[], found: Found[], dailyCap: number) {
  const sums = new Map<string, number>();
  return found.flatMap(({ index, earned }) => {
    const item = contributions[index];
    if (!item) return [];
    const day = `${item.userId} ${utcDay(item.gatheredAt)}`;
    const before = sums.get(day) ?? earned;
    const sum = sumPoints([before, CONTENT_POINTS[item.kind]]);
    const isPaid = sum <= dailyCap;
    sums.set(day, isPaid ? sum : before);
    return { ...item, points: isPaid ? CONTENT_POINTS[item.kind] : 0 };
  });
}

/** Returns a page of the points for gathered content, newest first, with the total number of items. */
export async function readContentPointsHistory(
  { db }: Pick<Deps, "db">,
  userId: string,
  { limit, page }: { limit: number; page: number },
): Promise<ContentPointsHistory> {
  const rows = await findContributions(db).execute({ userId, limit, offset: (page - 1) * limit });
  return {
    total: rows[0]?.total ?? 0,
    data: rows.flatMap(({ kind, title, points, gatheredAt }) =>
      kind ? { kind, title, points, timestamp: gatheredAt.toISOString() } : [],
    ),
  };
}
