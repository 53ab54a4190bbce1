import { and, eq, isNull, sql } from "drizzle-orm";
import type { Db, Tx } from "../db/client.ts";
import { prepared } from "../db/prepared.ts";
import { emailChanges, knownDevices, machineIdentities, users } from "../db/schema.ts";
import { AppError } from "../errors.ts";

const accountByEmail = prepared((db) =>
  db
    .select({ id: users.id, email: users.email, passwordHash: users.passwordHash, knownDevice: knownDevices.tokenHash })
    .from(users)
    .leftJoin(
      knownDevices,
      and(eq(knownDevices.userId, users.id), eq(knownDevices.tokenHash, sql.placeholder("deviceHash"))),
    )
    .where(eq(users.emailKey, sql.placeholder("emailKey")))
    .prepare("find_account"),
);

/** Finds the account of an address, and whether its member has signed in with this device before. */
export async function findAccount(db: Db | Tx, emailKey: string, deviceHash?: Buffer) {
  const [account] = await accountByEmail(db).execute({ emailKey, deviceHash: deviceHash ?? null });
  return account && { ...account, isKnownDevice: account.knownDevice !== null };
}

export async function findPassword(db: Db, userId: string) {
  const [member] = await db
    .select({ email: users.email, passwordHash: users.passwordHash, providerSubject: users.providerSubject })
    .from(users)
    .where(eq(users.id, userId));
  return member;
}

/** Replaces the hash unless it has changed meanwhile. Returns whether it did. */
export async function replacePasswordHash(db: Db | Tx, userId: string, hash: { old: string; new: string }) {
  const { rowCount } = await db
    .update(users)
    .set({ passwordHash: hash.new })
    .where(and(eq(users.id, userId), eq(users.passwordHash, hash.old)));
  return rowCount === 1;
}

type Credentials = { userId: string; email: string; passwordHash: string };

/** Locks the member until the transaction ends. Returns false if the address or the hash is no longer theirs. */
export async function lockCredentials(tx: Tx, { userId, email, passwordHash }: Credentials): Promise<boolean> {
  const [held] = await tx
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.id, userId), eq(users.email, email), eq(users.passwordHash, passwordHash)))
    .for("share");
  return held !== undefined;
}

/**
 * Returns a member's address, and locks the member until the transaction ends. Throws NOT_FOUND if there is no such
 * member.
 */
export async function lockEmail(tx: Tx, userId: string): Promise<string> {
  const [member] = await tx.select({ email: users.email }).from(users).where(eq(users.id, userId)).for("no key update");
  if (!member) throw new AppError("NOT_FOUND", "There is no such member.");
  return member.email;
}

type Address = Pick<typeof users.$inferSelect, "email" | "emailKey" | "mailboxKey">;

/** Gives a member another address. Returns the keys of the former one, or undefined if there is no such member. */
export async function replaceAddress(
  tx: Tx,
  { userId, address, now }: { userId: string; address: Address; now: Date },
): Promise<Pick<Address, "emailKey" | "mailboxKey"> | undefined> {
  const [former] = await tx
    .select({ emailKey: users.emailKey, mailboxKey: users.mailboxKey })
    .from(users)
    .where(eq(users.id, userId))
    .for("no key update");
  await tx
    .update(users)
    .set({ ...address, updatedAt: now })
    .where(eq(users.id, userId));
  return former;
}

/** Deletes what a member was asked to sign for their Machine ID, unless they have signed it. */
export async function deleteUnsignedIdentity(tx: Tx, userId: string): Promise<void> {
  await tx
    .delete(machineIdentities)
    .where(and(eq(machineIdentities.userId, userId), isNull(machineIdentities.signedAt)));
}

/** Sets a member's password. Does nothing if the account has been deleted meanwhile. */
export async function setPassword(tx: Tx, { userId, passwordHash, now }: SetPassword) {
  await tx
    .update(users)
    .set({ passwordHash, updatedAt: now })
    .where(and(eq(users.id, userId), isNull(users.deletedAt)));
}
type SetPassword = { userId: string; passwordHash: string; now: Date };

export async function findInviter(db: Db | Tx, personalCode: string) {
  const [inviter] = await db.select({ id: users.id }).from(users).where(eq(users.personalCode, personalCode));
  return inviter;
}

/** Returns false if a unique key (address, personal code or wallet) is taken. */
export async function insertMember(db: Db | Tx, member: typeof users.$inferInsert): Promise<boolean> {
  const { rowCount } = await db.insert(users).values(member).onConflictDoNothing();
  return rowCount === 1;
}

/** Removes a member's request for another address. */
export async function deleteEmailChange(tx: Tx, userId: string): Promise<void> {
  await tx.delete(emailChanges).where(eq(emailChanges.userId, userId));
}
