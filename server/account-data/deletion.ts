import { endOpenRequests } from "../auth/open-requests.ts";
import { requirePassword } from "../auth/password/require-password.ts";
import type { AuthProvider } from "../auth/provider/auth-provider.ts";
import { lockEmail } from "../auth/queries.ts";
import { inTransaction } from "../db/transaction.ts";
import type { Deps } from "../deps.ts";
import type { Requester } from "../http/endpoint.ts";
import { enqueue } from "../jobs/queries.ts";
import { recordEvent } from "../security-activity/service.ts";
import { endSessions, lockCallerSession } from "../sessions/service.ts";
import { DELETION_GRACE_SECONDS, type DeletionResult, type RequestDeletionInput } from "./contract.ts";
import { ERASE_ACCOUNT } from "./erase.ts";
import * as emails from "./emails.ts";
import * as queries from "./deletion.queries.ts";

const REQUESTED = "Your account will be deleted. Until then you can keep it.";
const KEPT = { success: true, message: "Your account will not be deleted." };

/**
 * Schedules the deletion of the account for the end of the grace period, ends every session but this one, and mails how
 * to keep the account. Does nothing if asked again. Throws VALIDATION_ERROR for a wrong password, TOO_MANY_ATTEMPTS,
 * UNAVAILABLE if the password cannot be checked now, and UNAUTHENTICATED if the session has ended meanwhile.
 */
export async function requestDeletion(
  deps: Deps,
  provider: Pick<AuthProvider, "provePassword">,
  { password }: RequestDeletionInput,
  { caller, client }: Requester,
): Promise<DeletionResult> {
  const { userId, sessionId } = caller;
  await requirePassword(deps, provider, { userId, password });
  const dueAt = await inTransaction(deps.db, async (tx) => {
    const now = deps.now();
    const due = new Date(now.getTime() + DELETION_GRACE_SECONDS * 1000);
    const email = await lockEmail(tx, userId);
    await lockCallerSession(tx, caller);
    if (!(await queries.insertDeletion(tx, { userId, requestedAt: now, dueAt: due })))
      return (await queries.lockDeletion(tx, userId))?.dueAt ?? due;
    await enqueue(tx, { kind: ERASE_ACCOUNT, key: userId, dueAt: due });
    const scope = { db: tx, now: deps.now };
    await endSessions(scope, { userId, but: sessionId });
    await endOpenRequests(tx, { userId, now });
    await recordEvent(scope, { userId, kind: "deletion-requested", client });
    await deps.outbox.post(tx, emails.deletionRequested(email, { dueAt: due }), due);
    return due;
  });
  return { success: true, message: REQUESTED, deletionDueAt: dueAt.toISOString() };
}

/**
 * Keeps an account that was to be deleted, with the keys of its machines, which end shortly before the deletion. Does
 * nothing for any other account.
 */
export async function keepAccount(deps: Deps, { caller: { userId }, client }: Requester) {
  await inTransaction(deps.db, async (tx) => {
    // Lock the member first, as closing the account does.
    const email = await lockEmail(tx, userId);
    const deletion = await queries.deleteDeletion(tx, userId);
    if (!deletion) return;
    await queries.restoreKeys(tx, deletion);
    await queries.touchMember(tx, { userId, now: deps.now() });
    await recordEvent({ db: tx, now: deps.now }, { userId, kind: "deletion-cancelled", client });
    await deps.outbox.post(tx, emails.accountKept(email));
  });
  return KEPT;
}
