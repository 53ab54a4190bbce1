import type { KeyObject } from "node:crypto";
import type { Db, Tx } from "../db/client.ts";
import type { Deps } from "../deps.ts";
import { findSealedKeys } from "./queries.ts";

type Scope = { db: Db | Tx; mailed: Deps["mailed"] };

/**
 * Finds the keys of former secrets, for what never expires: unsubscribe links and the mailboxes of deleted accounts.
 */
export async function findFormerKeys({ db, mailed }: Scope): Promise<KeyObject[]> {
  const kept = await findSealedKeys(db);
  return kept.flatMap((each) => mailed.openFormerKey(each) ?? []);
}

/** Lists all hashes that a mailbox may have been kept under when its account was deleted. */
export const listMailboxHashes = async (scope: Scope, mailboxKey: string): Promise<Buffer[]> =>
  scope.mailed.listMailboxHashes(mailboxKey, await findFormerKeys(scope));
