import { and, eq, inArray } from "drizzle-orm";
import type { Tx } from "../db/client.ts";
import { backgroundJobs } from "../db/schema.ts";

/** The job kind of a mail. */
export const MAIL = "mail";

const findEmails = (tx: Tx, recipients: Buffer[]) =>
  tx.select().from(backgroundJobs).where(inArray(backgroundJobs.recipient, recipients));

/** Finds emails by the hashes of their recipients, and locks them until the transaction ends. */
export const lockEmails = (tx: Tx, recipients: Buffer[]) => findEmails(tx, recipients).for("update");

/** Does the same, but skips emails that another transaction has locked. */
export const lockAvailableEmails = (tx: Tx, recipients: Buffer[]) =>
  findEmails(tx, recipients).for("update", { skipLocked: true });

export async function deleteEmails(tx: Tx, keys: string[]): Promise<void> {
  await tx.delete(backgroundJobs).where(and(eq(backgroundJobs.kind, MAIL), inArray(backgroundJobs.key, keys)));
}

type Sealed = Pick<typeof backgroundJobs.$inferInsert, "payload" | "recipient">;

export async function replaceEmail(tx: Tx, key: string, sealed: Sealed): Promise<void> {
  await tx
    .update(backgroundJobs)
    .set(sealed)
    .where(and(eq(backgroundJobs.kind, MAIL), eq(backgroundJobs.key, key)));
}
