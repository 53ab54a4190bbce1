import { and, eq } from "drizzle-orm";
import type { Db, Tx } from "../../db/client.ts";
import { ledgerAccounts, ledgerAttributes } from "../../db/schema.ts";

/** Returns false if the factory has used the owner's nonce, or there is an account at this address. */
export async function insertAccount(tx: Tx, account: typeof ledgerAccounts.$inferInsert): Promise<boolean> {
  const { rowCount } = await tx.insert(ledgerAccounts).values(account).onConflictDoNothing();
  return rowCount === 1;
}

export async function findOwner(tx: Db | Tx, address: string): Promise<string | undefined> {
  const [account] = await tx
    .select({ owner: ledgerAccounts.owner })
    .from(ledgerAccounts)
    .where(eq(ledgerAccounts.address, address));
  return account?.owner;
}

/** Returns false if the account already has an attribute of this name. */
export async function insertAttribute(tx: Tx, attribute: typeof ledgerAttributes.$inferInsert): Promise<boolean> {
  const { rowCount } = await tx.insert(ledgerAttributes).values(attribute).onConflictDoNothing();
  return rowCount === 1;
}

export async function findAttribute(db: Db | Tx, { account, name }: { account: string; name: Buffer }) {
  const [attribute] = await db
    .select({ value: ledgerAttributes.value })
    .from(ledgerAttributes)
    .where(and(eq(ledgerAttributes.account, account.toLowerCase()), eq(ledgerAttributes.name, name)));
  return attribute;
}
