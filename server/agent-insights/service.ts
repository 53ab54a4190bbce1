import { uuidv7 } from "uuidv7";
import type { Tx } from "../db/client.ts";
import type { Deps } from "../deps.ts";
import type { Env } from "../env.ts";
import { postPoints } from "../points/service.ts";
import type { ContentKind, ContentPointsHistory } from "./contract.ts";
import { findContributions, holdContent, insertContributions } from "./queries.ts";
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
  const userIds = contributions.map(({ userId }) => userId);
  await holdContent(tx).execute({ userIds });
  const added = await insertContributions(tx).execute({
    userIds,
    dailyCap,
    ids: contributions.map(() => uuidv7()),
    kinds: contributions.map(({ kind }) => kind),
    references: contributions.map(({ reference }) => reference),
    titles: contributions.map(({ title }) => title),
    points: contributions.map(({ kind }) => CONTENT_POINTS[kind]),
    gatheredAts: contributions.map(({ gatheredAt }) => gatheredAt.toISOString()),
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
