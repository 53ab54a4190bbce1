import { and, eq, isNotNull, isNull } from "drizzle-orm";
import type { Tx } from "../db/client.ts";
import { MAX_CLOCK_SKEW_MS } from "../db/clock.ts";
import { users, walletNonceUses } from "../db/schema.ts";
import { endingAt } from "../jobs/prune.ts";

/** Returns false if the nonce was spent before. The primary key decides, whichever process asks first. */
export async function spendNonce(tx: Tx, use: typeof walletNonceUses.$inferInsert): Promise<boolean> {
  const { rowCount } = await tx.insert(walletNonceUses).values(use).onConflictDoNothing();
  return rowCount === 1;
}

type NewWallet = { userId: string; wallet: string; now: Date };

/** Returns false if a wallet is already linked. Fails on the unique key if this one is another account's. */
export async function saveLink(tx: Tx, { userId, wallet, now }: NewWallet): Promise<boolean> {
  const { rowCount } = await tx
    .update(users)
    .set({ wallet, updatedAt: now })
    .where(and(eq(users.id, userId), isNull(users.wallet)));
  return rowCount === 1;
}

/** Does nothing if the wallet was changed already. Fails on the unique key if this one is another account's. */
export async function saveChange(tx: Tx, { userId, wallet, now }: NewWallet): Promise<void> {
  await tx
    .update(users)
    .set({ wallet, walletChangedAt: now, updatedAt: now })
    .where(and(eq(users.id, userId), isNotNull(users.wallet), isNull(users.walletChangedAt)));
}

/** Nonces that have expired for every process, even for one whose clock is behind. */
export const SPENT_NONCES = endingAt(walletNonceUses.expiresAt, MAX_CLOCK_SKEW_MS / 1000);
