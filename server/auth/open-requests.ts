import { eq } from "drizzle-orm";
import type { Tx } from "../db/client.ts";
import { emailChanges } from "../db/schema.ts";
import { endResetsOf } from "./reset/password-reset.queries.ts";

/** Ends what was asked for an account and waits for its mail to come back: a new password, and another address. */
export async function endOpenRequests(tx: Tx, account: { userId: string; now: Date }): Promise<void> {
  await endResetsOf(tx, account);
  await tx.delete(emailChanges).where(eq(emailChanges.userId, account.userId));
}
