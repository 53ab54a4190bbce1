import type { AuthProvider } from "../auth/provider/auth-provider.ts";
import { lockEmail } from "../auth/queries.ts";
import { leaveTransactions } from "../chain/left-nonces.ts";
import type { Tx } from "../db/client.ts";
import { readSlowerClock } from "../db/clock.ts";
import { inTransaction, limitStatements } from "../db/transaction.ts";
import type { Deps } from "../deps.ts";
import type { Again, JobKind, Lease } from "../jobs/job.ts";
import { enqueue, holdLease } from "../jobs/queries.ts";
import { settleReferral } from "../referrals/queries.ts";
import { keepMailboxHash } from "../referrals/screening.queries.ts";
import { endSessions } from "../sessions/service.ts";
import { DELETION_GRACE_SECONDS } from "./contract.ts";
import * as deletions from "./deletion.queries.ts";
import * as queries from "./erase.queries.ts";
import { removeRows } from "./holdings.queries.ts";
import { HOLDINGS } from "./holdings.ts";
import * as letters from "./letters.ts";
import { findWaitingMail } from "./waiting-mail.ts";

/** The kind of job that a deletion is; its key is the member's id. */
export const ERASE_ACCOUNT = "erase-account";

/** Milliseconds between the end of an account's sessions and keys and its deletion: no request takes longer. */
const CLOSED_FOR_MS = 60_000;

const REMOVED = Object.values(HOLDINGS).filter(({ kept }) => kept === undefined);

export type EraseDeps = Pick<Deps, "db" | "log" | "mailed" | "now" | "outbox">;
type Releasing = Pick<AuthProvider, "release">;

/**
 * Deletes an account whose time of grace is over, in two steps, which any process may take: first nothing opens the
 * account any more, and when whatever was under way has ended, everything goes in one transaction. A process that dies
 * on the way leaves the account as it was, and the next one deletes it. An account that is kept meanwhile stays.
 */
export const createErasure = (deps: EraseDeps, provider: Releasing): Record<typeof ERASE_ACCOUNT, JobKind> => ({
  [ERASE_ACCOUNT]: {
    atOnce: 2,
    lease: 10 * 60_000,
    backOff: { first: 60_000, longest: 60 * 60_000 },
    longestWait: DELETION_GRACE_SECONDS * 1000,
    async run(lease) {
      const deletion = await closeAccount(deps, lease.key);
      if (!deletion) return undefined;
      // Now, while we still know which sessions there are to end at the provider.
      if (deletion.isClosed) await provider.release();
      if (deletion.eraseAt > deletion.now) return { again: decideWait(deletion.eraseAt, deps.now()) };
      return inTransaction(deps.db, (tx) => eraseAccount(deps, tx, lease));
    },
  },
});

/** A clock that is ahead may say that the moment is over when it is not: then the job looks again after a while. */
const decideWait = (eraseAt: Date, now: Date) => Math.max(eraseAt.getTime() - now.getTime(), CLOSED_FOR_MS);

/**
 * Closes an account whose time is over by our clock and by the database's, since days of grace that a fast clock takes
 * are lost for good. Undefined where there is no deletion to carry out: for an account that has been deleted, it only
 * removes what was written down since.
 */
async function closeAccount({ db, now: clock }: EraseDeps, userId: string) {
  return inTransaction(db, async (tx) => {
    const now = await readSlowerClock({ db: tx, now: clock });
    // The member first, as whoever asks for the deletion once more does: they have their session, and then the
    // deletion.
    await lockEmail(tx, userId);
    const deletion = await deletions.lockDeletion(tx, userId);
    if (!deletion) {
      await removeRest(tx, userId);
      return undefined;
    }
    if (deletion.dueAt > now) return { isClosed: false, eraseAt: deletion.dueAt, now };
    if (!deletion.closedAt) {
      await deletions.markClosed(tx, { userId, now });
      await endAccess(tx, deletion, now);
    }
    return { isClosed: true, eraseAt: new Date((deletion.closedAt ?? now).getTime() + CLOSED_FOR_MS), now };
  });
}

/** Ends whatever opens an account. Returns how much that was. */
async function endAccess(tx: Tx, deletion: { userId: string; dueAt: Date }, now: Date): Promise<number> {
  const sessions = await endSessions({ db: tx, now: () => now }, { userId: deletion.userId });
  return sessions + (await deletions.revokeKeys(tx, deletion));
}

/**
 * Deletes an account, unless its member keeps it. Where they have signed in since it was closed, their session is ended
 * and the deletion waits once more for what is under way. Throws LeaseLost where another process has the job.
 */
async function eraseAccount(deps: EraseDeps, tx: Tx, lease: Lease): Promise<Again | void> {
  const userId = lease.key;
  await holdLease(tx, lease);
  // The member first, as whoever asks for the deletion and whoever works on their transactions does.
  const member = await queries.lockMember(tx, userId);
  const deletion = member && (await deletions.lockDeletion(tx, userId));
  if (!deletion) return;
  const closedAt = await readSlowerClock({ db: tx, now: deps.now });
  if ((await endAccess(tx, deletion, closedAt)) > 0) {
    await deletions.markClosed(tx, { userId, now: closedAt });
    return { again: CLOSED_FOR_MS };
  }
  const now = deps.now();
  await leaveTransactions(tx, { userId, at: now });
  const { email, emailKey, mailboxKey, providerSubject } = member;
  const owner = { userId, email: emailKey };
  // Nobody waits for an answer: each statement may take as long as it needs.
  await limitStatements(tx, 0);

  await settleReferral(tx, { inviteeId: userId, at: now });
  // Before the letters: a look at silent nodes that is under way holds this row, and may still add one.
  await removeRows(tx, HOLDINGS.silence_mail, owner);
  const waiting: string[] = [];
  for await (const { id } of findWaitingMail(deps, tx, owner)) waiting.push(id);
  await queries.deleteMailById(tx, waiting);
  // The member first: the triggers of append-only tables let rows be changed only for a member who is deleted.
  await queries.emptyMember(tx, { userId, now });
  await queries.anonymiseLedger(tx, userId);
  await queries.forgetMachines(tx, userId);
  for (const holding of REMOVED) await removeRows(tx, holding, owner);
  await keepMailboxHash(tx, { userId, mailboxKey, mailboxHash: deps.mailed.hashMailbox(mailboxKey), now });

  const letter = letters.accountDeleted(email, { providerKeepsPassword: providerSubject !== null });
  await deps.outbox.post(tx, letter);
  // Once more when what is under way is over: who asks for a new password at this moment may write it down after this.
  await enqueue(tx, { kind: ERASE_ACCOUNT, key: userId, dueAt: new Date(now.getTime() + CLOSED_FOR_MS) });
  if (providerSubject) deps.log.warn({ providerSubject }, "an account is deleted: remove its user at Supabase, too");
}

/** Removes what was written down about a member after their account went: it is found by their id alone. */
async function removeRest(tx: Tx, userId: string): Promise<void> {
  const member = await queries.lockMember(tx, userId);
  if (!member?.deletedAt) return;
  for (const holding of REMOVED) await removeRows(tx, holding, { userId, email: member.emailKey });
}
