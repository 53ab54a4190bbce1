import { removeRoleOfDeleted } from "../administration/service.ts";
import type { AuthProvider } from "../auth/provider/auth-provider.ts";
import { lockEmail } from "../auth/queries.ts";
import { enqueueNonceFills } from "../chain/left-nonces.ts";
import type { Tx } from "../db/client.ts";
import { readSlowerClock } from "../db/clock.ts";
import { inTransaction, limitStatements } from "../db/transaction.ts";
import type { Deps } from "../deps.ts";
import type { Again, JobKind, Lease } from "../jobs/job.ts";
import { enqueue, lockLease } from "../jobs/queries.ts";
import { settleReferral } from "../referrals/queries.ts";
import { storeMailboxHash } from "../referrals/screening.queries.ts";
import { endSessions } from "../sessions/service.ts";
import { DELETION_GRACE_SECONDS } from "./contract.ts";
import * as deletions from "./deletion.queries.ts";
import * as queries from "./erase.queries.ts";
import { removeRows } from "./holdings.queries.ts";
import { HOLDINGS } from "./holdings.ts";
import * as emails from "./emails.ts";
import { findWaitingMail } from "./waiting-mail.ts";

/** The job kind of a deletion. The key of such a job is the member's id. */
export const ERASE_ACCOUNT = "erase-account";

/**
 * How long an account is closed before it is deleted, in milliseconds: no request takes longer. Its sessions and keys
 * end when it is closed.
 */
const CLOSED_FOR_MS = 60_000;

const REMOVED = Object.values(HOLDINGS).filter(({ kept }) => kept === undefined);

export type EraseDeps = Pick<Deps, "db" | "log" | "mailed" | "now" | "outbox">;
type Releasing = Pick<AuthProvider, "release">;

/**
 * Creates the job that deletes an account after its grace period. Any process may take either of its two steps: first
 * everything that opens the account ends, and once the requests in progress have finished, everything is deleted in one
 * transaction. If a process dies on the way, the account stays as it was and the next process deletes it. An account
 * that its member keeps meanwhile stays.
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
      // Now, while we still know which sessions to end at the provider.
      if (deletion.isClosed) await provider.release();
      if (deletion.eraseAt > deletion.now) return { again: decideWait(deletion.eraseAt, deps.now()) };
      return inTransaction(deps.db, (tx) => eraseAccount(deps, tx, lease));
    },
  },
});

/**
 * Returns how long to wait before looking again: at least CLOSED_FOR_MS, because a clock that is ahead may look too
 * early.
 */
const decideWait = (eraseAt: Date, now: Date) => Math.max(eraseAt.getTime() - now.getTime(), CLOSED_FOR_MS);

/**
 * Closes an account whose grace period is over by our clock and by the database's, because days of grace that a fast
 * clock takes away are lost for good. Returns undefined if there is no deletion to carry out. If the account has been
 * deleted already, only removes what was written since.
 */
async function closeAccount({ db, now: clock }: EraseDeps, userId: string) {
  return inTransaction(db, async (tx) => {
    const now = await readSlowerClock({ db: tx, now: clock });
    // Lock the member first and then the deletion. A repeated request for the deletion takes the same order: the
    // member, their session, the deletion.
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

/** Ends everything that opens an account. Returns how many sessions and keys that was. */
async function endAccess(tx: Tx, deletion: { userId: string; dueAt: Date }, now: Date): Promise<number> {
  const sessions = await endSessions({ db: tx, now: () => now }, { userId: deletion.userId });
  return sessions + (await deletions.revokeKeys(tx, deletion));
}

/**
 * Deletes an account, unless its member keeps it. If they have signed in since it was closed, ends that session and
 * waits once more for the requests in progress. Throws LeaseLost if another process has the job.
 */
async function eraseAccount(deps: EraseDeps, tx: Tx, lease: Lease): Promise<Again | void> {
  const userId = lease.key;
  await lockLease(tx, lease);
  // Lock the member first, as requests for the deletion and work on their transactions do.
  const member = await queries.lockMember(tx, userId);
  const deletion = member && (await deletions.lockDeletion(tx, userId));
  if (!deletion) return;
  const closedAt = await readSlowerClock({ db: tx, now: deps.now });
  if ((await endAccess(tx, deletion, closedAt)) > 0) {
    await deletions.markClosed(tx, { userId, now: closedAt });
    return { again: CLOSED_FOR_MS };
  }
  const now = deps.now();
  await enqueueNonceFills(tx, { userId, at: now });
  const { email, emailKey, mailboxKey, providerSubject } = member;
  const owner = { userId, email: emailKey };
  // Nobody waits for a response, so each statement may take as long as it needs.
  await limitStatements(tx, 0);

  await settleReferral(tx, { inviteeId: userId, at: now });
  // Before the emails: a check for silent nodes that is in progress holds this row, and may still add an email.
  await removeRows(tx, HOLDINGS.silence_mail, owner);
  const waiting: string[] = [];
  for await (const { id } of findWaitingMail(deps, tx, owner)) waiting.push(id);
  await queries.deleteMailById(tx, waiting);
  // Empty the member first: the triggers of append-only tables allow changes to rows only if their member is deleted.
  await queries.erasePersonalData(tx, { userId, now });
  await queries.anonymiseLedger(tx, userId);
  await queries.forgetMachines(tx, userId);
  await removeRoleOfDeleted(tx, { userId, at: now });
  for (const holding of REMOVED) await removeRows(tx, holding, owner);
  await storeMailboxHash(tx, { userId, mailboxKey, mailboxHash: deps.mailed.hashMailbox(mailboxKey), now });

  const notice = emails.accountDeleted(email, { providerKeepsPassword: providerSubject !== null });
  await deps.outbox.post(tx, notice);
  // Run once more when the requests in progress are over: a request for a new password at this moment may be written
  // after this transaction.
  await enqueue(tx, { kind: ERASE_ACCOUNT, key: userId, dueAt: new Date(now.getTime() + CLOSED_FOR_MS) });
  if (providerSubject) deps.log.warn({ providerSubject }, "an account is deleted: remove its user at Supabase, too");
}

/** Removes what was written about a member after their account was deleted. Their id still finds it. */
async function removeRest(tx: Tx, userId: string): Promise<void> {
  const member = await queries.lockMember(tx, userId);
  if (!member?.deletedAt) return;
  for (const holding of REMOVED) await removeRows(tx, holding, { userId, email: member.emailKey });
}
