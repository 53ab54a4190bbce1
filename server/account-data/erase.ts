import { expiryOfNotice } from "../auth/notice.ts";
import type { AuthProvider } from "../auth/provider/auth-provider.ts";
import type { Tx } from "../db/client.ts";
import { inTransaction } from "../db/transaction.ts";
import type { Deps } from "../deps.ts";
import { settleReferral } from "../referrals/service.ts";
import { endSessions } from "../sessions/service.ts";
import * as deletions from "./deletion.queries.ts";
import * as queries from "./erase.queries.ts";
import { removeRows } from "./holdings.queries.ts";
import { HOLDINGS } from "./holdings.ts";
import * as letters from "./letters.ts";
import { findWaitingMail } from "./waiting-mail.ts";

/** Milliseconds between the end of an account's sessions and keys and its deletion: no request takes longer. */
const CLOSED_FOR_MS = 60_000;
const ERASE_LIMIT = 20;

type EraseDeps = Pick<Deps, "db" | "log" | "mailed" | "now" | "outbox">;

/**
 * Deletes the accounts whose time of grace is over, a bounded number; returns how many. In two steps, which any
 * process may take: first nothing opens the account any more, and when whatever was under way has ended, everything
 * goes in one transaction. Who dies on the way leaves an account as it was, and the next one deletes it.
 */
export async function eraseDueAccounts(deps: EraseDeps, provider: Pick<AuthProvider, "release">): Promise<number> {
  await closeDueAccounts(deps);
  // As long as it is known what there is to end at the provider.
  await provider.release();
  const before = new Date(deps.now().getTime() - CLOSED_FOR_MS);
  let erased = 0;
  for (const userId of await deletions.findClosed(deps.db, { before, limit: ERASE_LIMIT })) {
    try {
      if (await inTransaction(deps.db, (tx) => eraseAccount(deps, tx, { userId, before }))) erased += 1;
    } catch (error) {
      deps.log.error({ err: error, userId }, "an account could not be deleted yet");
    }
  }
  if (erased > 0) deps.outbox.wake();
  return erased;
}

async function closeDueAccounts({ db, now: clock }: EraseDeps): Promise<void> {
  await inTransaction(db, async (tx) => {
    const now = clock();
    for (const { userId } of await deletions.closeDue(tx, now)) {
      await endSessions({ db: tx, now: clock }, { userId });
      await deletions.revokeKeys(tx, { userId, now });
    }
  });
}

/** Deletes an account, unless somebody else does or has, or it is kept. */
async function eraseAccount(deps: EraseDeps, tx: Tx, { userId, before }: { userId: string; before: Date }) {
  if (!(await deletions.lockClosed(tx, { userId, before }))) return false;
  const member = await queries.lockMember(tx, userId);
  if (!member) return false;
  const { email, emailKey, mailboxKey, providerSubject } = member;
  const owner = { userId, email: emailKey };
  const now = deps.now();
  await queries.takeTime(tx);

  await settleReferral(tx, { inviteeId: userId, at: now });
  const waiting: string[] = [];
  for await (const { id } of findWaitingMail(deps, tx, owner)) waiting.push(id);
  await queries.deleteMailById(tx, waiting);
  // First the member, since the triggers of what only grows let go of nobody else's.
  await queries.emptyMember(tx, { userId, now });
  await queries.anonymiseLedger(tx, userId);
  await queries.forgetMachines(tx, userId);
  const removed = Object.values(HOLDINGS).filter(({ onDeletion }) => onDeletion === "removed");
  for (const holding of removed) await removeRows(tx, holding, owner);
  await queries.keepMailboxHash(tx, { userId, mailboxKey, mailboxHash: deps.mailed.hashMailbox(mailboxKey), now });

  const letter = letters.accountDeleted(email, { providerKeepsPassword: providerSubject !== null });
  await deps.outbox.post(tx, letter, expiryOfNotice(now));
  if (providerSubject) deps.log.warn({ providerSubject }, "an account is deleted: remove its user at Supabase, too");
  return true;
}
