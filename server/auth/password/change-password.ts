import type { Tx } from "../../db/client.ts";
import { inTransaction } from "../../db/transaction.ts";
import type { Deps } from "../../deps.ts";
import { AppError } from "../../errors.ts";
import type { Client } from "../../http/client.ts";
import type { Requester } from "../../http/endpoint.ts";
import { LIMITS } from "../../rate-limits/rules.ts";
import { recordEvent } from "../../security-activity/service.ts";
import { endSessions, forgetDevices, lockCallerSession } from "../../sessions/service.ts";
import { refuseGuessable } from "../../password-rules/refuse-guessable.ts";
import type { ChangePasswordInput } from "../contract.ts";
import * as emails from "../emails.ts";
import { endOpenRequests } from "../open-requests.ts";
import { findPassword, lockEmail, replacePasswordHash } from "../queries.ts";

const WRONG = "That is not your current password.";
export const CHANGED = {
  success: true,
  message: "Your password has been changed. You have been signed out on all other devices.",
};

/**
 * Replaces the current password, ends every other session and every open request for a new password or another address,
 * and mails a notice. Throws VALIDATION_ERROR for a wrong current password or a common new one, TOO_MANY_ATTEMPTS,
 * UNAVAILABLE if too many passwords are being hashed, and UNAUTHENTICATED if the session ends meanwhile.
 */
export async function changePassword(
  deps: Deps,
  { currentPassword, password }: ChangePasswordInput,
  { caller, client }: Requester,
) {
  const { userId, sessionId } = caller;
  deps.passwords.ensureRoom();
  await deps.limits.take(LIMITS.changePasswordByAccount, userId);
  const member = await findPassword(deps.db, userId);
  const old = member?.passwordHash;
  if (!(await deps.passwords.verify(old, currentPassword)) || !member || !old) throw wrongCurrentPassword();
  refuseGuessable(password, member.email);
  const renewed = await deps.passwords.hash(password);

  await inTransaction(deps.db, async (tx) => {
    // A change or reset that happened in between wins.
    if (!(await replacePasswordHash(tx, userId, { old, new: renewed }))) throw wrongCurrentPassword();
    await lockCallerSession(tx, caller);
    await finishChange(deps, tx, { userId, sessionId, client });
  });
  return CHANGED;
}

type Change = { userId: string; sessionId: string | undefined; client: Client };

/** Does what follows from a new password, whichever provider keeps it. */
export async function finishChange({ now: clock, outbox }: Deps, tx: Tx, change: Change): Promise<void> {
  const { userId, sessionId, client } = change;
  // Lock the member first, as a reset and a change of address do, and read the address that they have now.
  const email = await lockEmail(tx, userId);
  const now = clock();
  const scope = { db: tx, now: clock };
  await endSessions(scope, { userId, but: sessionId });
  await forgetDevices(tx, { userId, but: client.deviceHash });
  await endOpenRequests(tx, { userId, now });
  await recordEvent(scope, { userId, kind: "password-changed", client });
  await outbox.post(tx, emails.passwordChanged(email, { at: now, keptOne: true }));
}

/** Whether this is the member's password. Throws UNAVAILABLE if too many passwords are being hashed. */
export async function provePassword({ db, passwords }: Deps, userId: string, password: string): Promise<boolean> {
  const member = await findPassword(db, userId);
  return passwords.verify(member?.passwordHash, password);
}

export const wrongCurrentPassword = () =>
  new AppError("VALIDATION_ERROR", WRONG, { fields: { currentPassword: [WRONG] } });
