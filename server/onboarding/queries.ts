import { and, eq, isNull } from "drizzle-orm";
import type { Db } from "../db/client.ts";
import { users } from "../db/schema.ts";

/** True for the one call that onboards the member, however many arrive at once. */
export async function markOnboarded(db: Db, { userId, now }: { userId: string; now: Date }): Promise<boolean> {
  const { rowCount } = await db
    .update(users)
    .set({ onboardedAt: now, updatedAt: now })
    .where(and(eq(users.id, userId), isNull(users.onboardedAt)));
  return rowCount === 1;
}
