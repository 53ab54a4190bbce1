import { desc } from "drizzle-orm";
import type { Db, Tx } from "../db/client.ts";
import { webhookMessages } from "../db/schema.ts";
import { endingAt } from "../jobs/prune.ts";

/** Stores an incoming message. Returns false if it was stored before. */
export async function storeIncomingMessage(tx: Tx, message: typeof webhookMessages.$inferInsert): Promise<boolean> {
  const { rowCount } = await tx.insert(webhookMessages).values(message).onConflictDoNothing();
  return rowCount === 1;
}

/** Returns the last messages received, latest first. */
export const findMessages = (db: Db, limit: number) =>
  db.select().from(webhookMessages).orderBy(desc(webhookMessages.receivedAt)).limit(limit);

/** Longer than any sender keeps retrying a message. */
const LIFETIME_SECONDS = 30 * 24 * 60 * 60;

export const OLD_MESSAGES = endingAt(webhookMessages.receivedAt, LIFETIME_SECONDS);
