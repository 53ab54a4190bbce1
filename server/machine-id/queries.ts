import { and, eq, sql } from "drizzle-orm";
import type { Tx } from "../db/client.ts";
import { chainJobs, machineIdentities, users } from "../db/schema.ts";

export type IdentityRequest = typeof machineIdentities.$inferSelect;

/**
 * Locks a member's row. Until the transaction ends, nobody else changes their wallet or starts a deployment for it.
 * Beats, and anything else that only refers to the member, go on.
 */
export async function lockWallet(tx: Tx, userId: string): Promise<void> {
  await tx.select({ id: users.id }).from(users).where(eq(users.id, userId)).for("no key update");
}

/**
 * Saves what the member is asked to sign, instead of what they were asked before. If they signed that, its job keeps
 * what it attests.
 */
export async function saveIdentity(tx: Tx, identity: typeof machineIdentities.$inferInsert): Promise<void> {
  const { userId, ...asked } = identity;
  const { emailSalt, emailSignature, nonce } = machineIdentities;
  await tx
    .update(chainJobs)
    .set({ emailSalt: sql`${emailSalt}`, emailSignature: sql`${emailSignature}` })
    .from(machineIdentities)
    .where(and(eq(chainJobs.userId, userId), eq(machineIdentities.userId, userId), eq(chainJobs.consentNonce, nonce)));
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
