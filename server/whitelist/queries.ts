import { and, asc, eq, gt, inArray, sql } from "drizzle-orm";
import { latestEntryAbout } from "../administration/queries.ts";
import type { Db, Tx } from "../db/client.ts";
import { users } from "../db/schema.ts";

export async function markWhitelisted(tx: Tx, ids: string[], isWhitelisted: boolean): Promise<void> {
  if (ids.length > 0) await tx.update(users).set({ isWhitelisted }).where(inArray(users.id, ids));
}

/** The actions' names in the audit log. */
export const WHITELISTED = "whitelist.set";
export const UNLISTED = "whitelist.unset";

function findStandings(db: Db) {
  const latest = latestEntryAbout(db, [WHITELISTED, UNLISTED]);
  const { action, at, actor, actorId, actorEmail } = latest;
  return db
    .select({
      id: users.id,
      email: users.email,
      isWhitelisted: users.isWhitelisted,
      latest: { action, at, actor, actorId, actorEmail },
    })
    .from(users)
    .leftJoinLateral(latest, sql`true`);
}

export async function findStanding(db: Db, userId: string) {
  const [standing] = await findStandings(db).where(eq(users.id, userId));
  return standing;
}

export type Standing = NonNullable<Awaited<ReturnType<typeof findStanding>>>;

/** Finds a page of the whitelist, by id. Reads only as many rows as the page has, however long the list is. */
export function findWhitelisted(db: Db, { after, limit }: { after?: string | undefined; limit: number }) {
  return findStandings(db)
    .where(and(sql`${users.isWhitelisted}`, after === undefined ? undefined : gt(users.id, after)))
    .orderBy(asc(users.id))
    .limit(limit);
}
