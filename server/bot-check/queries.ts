import type { Db } from "../db/client.ts";
import { MAX_CLOCK_SKEW_MS } from "../db/clock.ts";
import { botCheckUses } from "../db/schema.ts";
import { endingAt } from "../jobs/prune.ts";

/** Spends a token. Returns false if it was spent before. The primary key decides, whichever process comes first. */
export async function spendToken(db: Db, use: typeof botCheckUses.$inferInsert): Promise<boolean> {
  const { rowCount } = await db.insert(botCheckUses).values(use).onConflictDoNothing();
  return rowCount === 1;
}

/** Spent tokens that are too old for every process, even one whose clock is behind. */
export const SPENT_TOKENS = endingAt(botCheckUses.expiresAt, MAX_CLOCK_SKEW_MS / 1000);
