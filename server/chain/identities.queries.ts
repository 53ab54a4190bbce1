import { and, eq } from "drizzle-orm";
import type { Tx } from "../db/client.ts";
import { machineIdentities } from "../db/schema.ts";
import type { Job } from "./chain-gateway.ts";

/**
 * Replaces the identity that a member signed with one that they had signed before, because the network has that one.
 * Does nothing if it is the same.
 */
export async function restoreIdentity(tx: Tx, { from, to }: { from: Job; to: Job }): Promise<void> {
  const { calldata, consentNonce: nonce, consentSignature: ownerSignature, emailSalt, emailSignature } = to;
  // A job has these only if another identity took the place of its own.
  if (calldata === null || emailSalt === null || emailSignature === null) return;
  await tx
    .update(machineIdentities)
    .set({ calldata, nonce, ownerSignature, signedAt: to.createdAt, emailSalt, emailSignature })
    .where(and(eq(machineIdentities.userId, from.userId), eq(machineIdentities.nonce, from.consentNonce)));
}
