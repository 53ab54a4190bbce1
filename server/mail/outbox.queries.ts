import { and, eq, inArray } from "drizzle-orm";
import type { Tx } from "../db/client.ts";
import { backgroundJobs } from "../db/schema.ts";

/** The job kind of a mail. */
export const MAIL = "mail";

const findLetters = (tx: Tx, recipients: Buffer[]) =>
  tx.select().from(backgroundJobs).where(inArray(backgroundJobs.recipient, recipients));

/** Finds letters by the hashes of their recipients, and locks them until the transaction ends. */
export const lockLetters = (tx: Tx, recipients: Buffer[]) => findLetters(tx, recipients).for("update");

/** Does the same, but skips letters that another transaction has locked. */
export const lockFreeLetters = (tx: Tx, recipients: Buffer[]) =>
  findLetters(tx, recipients).for("update", { skipLocked: true });

export async function deleteLetters(tx: Tx, keys: string[]): Promise<void> {
  await tx.delete(backgroundJobs).where(and(eq(backgroundJobs.kind, MAIL), inArray(backgroundJobs.key, keys)));
}

type Sealed = Pick<typeof backgroundJobs.$inferInsert, "payload" | "recipient">;

export async function replaceLetter(tx: Tx, key: string, sealed: Sealed): Promise<void> {
  await tx
    .update(backgroundJobs)
    .set(sealed)
    .where(and(eq(backgroundJobs.kind, MAIL), eq(backgroundJobs.key, key)));
}
