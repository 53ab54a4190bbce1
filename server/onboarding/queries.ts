import { and, eq, isNull } from "drizzle-orm";
import type { Db } from "../db/client.ts";
import { users } from "../db/schema.ts";

/** Marks a member as onboarded. If many calls arrive at once, returns true for only one of them. */
export async function markOnboarded(db: Db, { userId, now }: { userId: string; now: Date }): Promise<boolean> {
  const { rowCount } = await db
    .update(users)
    .set({ onboardedAt: now, updatedAt: now })
    .where(and(eq(users.id, userId), isNull(users.onboardedAt)));
  return rowCount === 1;
}
