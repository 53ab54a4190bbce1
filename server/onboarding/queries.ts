import { and, eq, isNull, sql } from "drizzle-orm";
import type { Db } from "../db/client.ts";
import { prepared } from "../db/prepared.ts";
import { users } from "../db/schema.ts";

const standingById = prepared((db) =>
  db
    .select({ isWhitelisted: users.isWhitelisted, onboardedAt: users.onboardedAt })
    .from(users)
    .where(eq(users.id, sql.placeholder("userId")))
    .prepare("find_standing"),
);

/** Where a member stands: on the white list, and onboarded. */
export async function findStanding(db: Db, userId: string) {
  const [standing] = await standingById(db).execute({ userId });
  return standing;
}

/** True for the one call that onboards the member, however many arrive at once. */
export async function markOnboarded(db: Db, { userId, now }: { userId: string; now: Date }): Promise<boolean> {
  const { rowCount } = await db
    .update(users)
    .set({ onboardedAt: now, updatedAt: now })
    .where(and(eq(users.id, userId), isNull(users.onboardedAt)));
  return rowCount === 1;
}
