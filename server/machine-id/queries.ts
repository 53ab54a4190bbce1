import { and, eq, ne } from "drizzle-orm";
import type { Db, Tx } from "../db/client.ts";
import { chainJobs, machineIdentities, users } from "../db/schema.ts";

export type IdentityRequest = typeof machineIdentities.$inferSelect;

/** Whether there is a deployment that did not fail, under way or done. */
export async function hasDeployment(db: Db | Tx, userId: string): Promise<boolean> {
  const found = await db
    .select({ id: chainJobs.id })
    .from(chainJobs)
    .where(and(eq(chainJobs.userId, userId), eq(chainJobs.kind, "deploy"), ne(chainJobs.state, "failed")))
    .limit(1);
  return found.length === 1;
}

/** The linked wallet, which stays what it is until the transaction ends. */
export async function lockWallet(tx: Tx, userId: string): Promise<string | null> {
  const [user] = await tx.select({ wallet: users.wallet }).from(users).where(eq(users.id, userId)).for("update");
  return user?.wallet ?? null;
}

export async function findIdentity(db: Db | Tx, userId: string): Promise<IdentityRequest | undefined> {
  const [identity] = await db.select().from(machineIdentities).where(eq(machineIdentities.userId, userId));
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
