import { inArray, lt } from "drizzle-orm";
import type { Db } from "../db/client.ts";
import { botCheckUses } from "../db/schema.ts";

/** False when the token was spent before: the primary key decides, whichever process asks first. */
export async function spendToken(db: Db, use: typeof botCheckUses.$inferInsert): Promise<boolean> {
  const spent = await db.insert(botCheckUses).values(use).onConflictDoNothing().returning({ id: botCheckUses.tokenId });
  return spent.length === 1;
}

export async function deleteExpiredUses(db: Db, { before, limit }: { before: Date; limit: number }): Promise<number> {
  const expired = db
    .select({ id: botCheckUses.tokenId })
    .from(botCheckUses)
    .where(lt(botCheckUses.expiresAt, before))
    .limit(limit);
  const { rowCount } = await db.delete(botCheckUses).where(inArray(botCheckUses.tokenId, expired));
  return rowCount ?? 0;
}
