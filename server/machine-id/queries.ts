import { and, eq, ne, sql } from "drizzle-orm";
import type { Db, Tx } from "../db/client.ts";
import { prepared } from "../db/prepared.ts";
import { chainJobs, machineIdentities, users } from "../db/schema.ts";

export type IdentityRequest = typeof machineIdentities.$inferSelect;

/**
 * Whether the deployment of a member's Smart Account has begun, and did not fail: its owner can never be another wallet.
 * Ask in a transaction that holds the member's row, since a deployment begins in one that does.
 */
export async function hasStartedDeployment(db: Db | Tx, userId: string): Promise<boolean> {
  const isTheirs = and(eq(chainJobs.userId, userId), eq(chainJobs.kind, "deploy"), ne(chainJobs.state, "failed"));
  return (await db.$count(chainJobs, isTheirs)) > 0;
}

/** The linked wallet. Nobody else changes it, or starts a deployment for it, until the transaction ends. */
export async function lockWallet(tx: Tx, userId: string) {
  const state = { wallet: users.wallet, changedAt: users.walletChangedAt };
  const [found] = await tx.select(state).from(users).where(eq(users.id, userId)).for("update");
  return found;
}

const identityOf = prepared((db) =>
  db
    .select()
    .from(machineIdentities)
    .where(eq(machineIdentities.userId, sql.placeholder("userId")))
    .prepare("find_machine_identity"),
);

export async function findIdentity(db: Db | Tx, userId: string): Promise<IdentityRequest | undefined> {
  const [identity] = await identityOf(db).execute({ userId });
  return identity;
}

/** Replaces what the member was asked to sign before. */
export async function saveIdentity(tx: Tx, identity: typeof machineIdentities.$inferInsert): Promise<void> {
  const { userId: _, ...asked } = identity;
  const unsigned = { ...asked, ownerSignature: null, signedAt: null };
  await tx
    .insert(machineIdentities)
    .values(identity)
    .onConflictDoUpdate({ target: machineIdentities.userId, set: unsigned });
}

export async function markSigned(tx: Tx, userId: string, { signature, at }: { signature: string; at: Date }) {
  await tx
    .update(machineIdentities)
    .set({ ownerSignature: signature, signedAt: at })
    .where(eq(machineIdentities.userId, userId));
}
