import { eq } from "drizzle-orm";
import type { Db, Tx } from "../../db/client.ts";
import { users } from "../../db/schema.ts";

const isOf = (email: string) => eq(users.emailKey, email);

export const hasMembers = async (db: Db | Tx): Promise<boolean> =>
  (await db.select({ id: users.id }).from(users).limit(1)).length > 0;

/** Returns whether there is a member with this address, and locks them until the transaction ends. */
export async function lockMember(tx: Tx, email: string): Promise<boolean> {
  const found = await tx.select({ id: users.id }).from(users).where(isOf(email)).for("no key update");
  return found.length > 0;
}

export async function findPasswordHash(db: Db, email: string) {
  const [member] = await db.select({ hash: users.passwordHash }).from(users).where(isOf(email));
  return member?.hash;
}

export async function updateMember(db: Db | Tx, email: string, change: Partial<typeof users.$inferInsert>) {
  await db.update(users).set(change).where(isOf(email));
}
