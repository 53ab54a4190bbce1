import type { Tx } from "../db/client.ts";
import { deleteEmailChange } from "./queries.ts";
import { endResetsOf } from "./reset/password-reset.queries.ts";

/** Ends an account's requests that wait for an emailed link or code: for a new password and for another address. */
export async function endOpenRequests(tx: Tx, account: { userId: string; now: Date }): Promise<void> {
  await endResetsOf(tx, account);
  await deleteEmailChange(tx, account.userId);
}
