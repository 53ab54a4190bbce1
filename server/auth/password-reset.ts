import { uuidv7 } from "uuidv7";
import type { Tx } from "../db/client.ts";
import { inTransaction } from "../db/transaction.ts";
import type { Deps } from "../deps.ts";
import { AppError } from "../errors.ts";
import { limitKeyOf, type Client } from "../http/client.ts";
import { LIMITS } from "../rate-limits/rules.ts";
import { recordEvent } from "../security-activity/service.ts";
import { endSessions } from "../sessions/service.ts";
import { refuseCommonPassword } from "./common-passwords.ts";
import {
  RECOVERY_LIFETIME_SECONDS,
  RESET_LIFETIME_SECONDS,
  type ForgotPasswordInput,
  type ForgotPasswordResult,
  type RecoveryResult,
  type ResendResult,
  type ResetPasswordInput,
  type TokenInput,
} from "./contract.ts";
import { createCredential, hashCredential } from "./credential.ts";
import { emailKey } from "./email-key.ts";
import * as letters from "./letters.ts";
import { expiryOfNotice } from "./notice.ts";
import * as queries from "./password-reset.queries.ts";
import { findAccount, setPassword } from "./queries.ts";
import { climb, firstRung, toResend } from "./resend-ladder.ts";

const ASK_AGAIN = "Please ask for a new one.";
const LINK_GONE = `This link has expired. ${ASK_AGAIN}`;
const LINK_USED = `This link was already used. ${ASK_AGAIN}`;
const REQUEST_GONE = `This request has expired. ${ASK_AGAIN}`;
const RECOVERY_GONE = `The time to choose a password is over. ${ASK_AGAIN}`;

/**
 * Mails a link that lets its reader choose a new password. Does and answers the same for an address without an
 * account, but that the mail says so. Throws BOT_CHECK_FAILED and TOO_MANY_ATTEMPTS.
 */
export async function forgotPassword(deps: Deps, { email, turnstileToken }: ForgotPasswordInput, client: Client) {
  await deps.limits.take(LIMITS.forgotByClient, limitKeyOf(client.address));
  await deps.botCheck.verify(turnstileToken, client);
  // Too many are answered like the others: whoever fills a mailbox learns nothing, and its owner has links that work.
  const isMailed = await deps.limits.tryTake(LIMITS.forgotByAddress, emailKey(email));
  const now = deps.now();
  const id = uuidv7();
  const { token, hash } = createCredential("reset");
  const rung = firstRung(now);
  const expiresAt = new Date(now.getTime() + RESET_LIFETIME_SECONDS * 1000);
  await inTransaction(deps.db, async (tx) => {
    const account = await findAccount(tx, emailKey(email));
    const linkHash = deps.mailed.createLink("resetLink", id).hash;
    const reset = { id, userId: account?.id ?? null, email: account?.email ?? email, expiresAt };
    await queries.insertReset(tx, { ...reset, tokenHash: hash, linkHash, ...rung });
    await recordEvent({ db: tx, now: deps.now }, { userId: account?.id, kind: "password-reset-requested", client });
    if (isMailed) await postReset(deps, tx, reset);
  });
  deps.outbox.wake();
  return { resetToken: token, resend: toResend(rung) } satisfies ForgotPasswordResult;
}

type Posted = Pick<queries.PasswordReset, "id" | "userId" | "email" | "expiresAt"> & { isOver?: boolean };

async function postReset({ mailed, outbox }: Deps, tx: Tx, reset: Posted): Promise<void> {
  const { id, userId, email, expiresAt, isOver } = reset;
  const linkToken = mailed.createLink("resetLink", id).token;
  const inTime = isOver ? letters.resetLinkUsed(email) : letters.passwordReset(email, { linkToken });
  await outbox.post(tx, userId ? inTime : letters.noAccount(email), expiresAt);
}

/** Mails the same link again. Throws TOO_MANY_ATTEMPTS while it is too early, and EXPIRED. */
export async function resendPasswordReset(deps: Deps, { token }: TokenInput): Promise<ResendResult> {
  const rung = await inTransaction(deps.db, async (tx) => {
    const now = deps.now();
    const reset = await queries.lockReset(tx, hashCredential(token));
    if (!reset || reset.expiresAt <= now) throw new AppError("EXPIRED", REQUEST_GONE);
    const next = climb(reset, now);
    await queries.renewMail(tx, reset.id, next);
    // Answered like any other: what became of the link is for the mailbox alone to know.
    await postReset(deps, tx, { ...reset, isOver: reset.recoveryHash !== null || reset.usedAt !== null });
    return next;
  });
  deps.outbox.wake();
  return { resend: toResend(rung) };
}

/** Exchanges a mailed link, once, for a session that can do nothing but set a password. Throws EXPIRED, ALREADY_USED. */
export async function openRecovery(deps: Deps, { token }: TokenInput, client: Client): Promise<RecoveryResult> {
  const { db, now } = deps;
  await deps.limits.take(LIMITS.mailedTokensByClient, limitKeyOf(client.address));
  const at = now();
  const linkHash = hashCredential(token);
  const recovery = createCredential("recovery");
  const recoveryExpiresAt = new Date(at.getTime() + RECOVERY_LIFETIME_SECONDS * 1000);
  const isOpened = await queries.openReset(db, { linkHash, recoveryHash: recovery.hash, recoveryExpiresAt, now: at });
  if (isOpened) return { recoveryToken: recovery.token };

  const reset = await queries.findResetByLink(db, linkHash);
  if (reset && reset.expiresAt > at) throw new AppError("ALREADY_USED", LINK_USED);
  throw new AppError("EXPIRED", LINK_GONE);
}

/**
 * Sets the password in a recovery session, which ends with it, as does every session of the member and whatever else
 * was asked for their password; and mails them a notice. Throws EXPIRED, VALIDATION_ERROR for a common password,
 * and UNAVAILABLE when too many passwords are being hashed.
 */
export async function resetPassword(deps: Deps, { token, password }: ResetPasswordInput, client: Client) {
  await deps.limits.take(LIMITS.mailedTokensByClient, limitKeyOf(client.address));
  const recovery = await queries.findRecovery(deps.db, hashCredential(token));
  if (!recovery || !isUsable(recovery, deps.now())) throw new AppError("EXPIRED", RECOVERY_GONE);
  refuseCommonPassword(password, recovery.email);
  const passwordHash = await deps.passwords.hash(password);
  await inTransaction(deps.db, (tx) => replacePassword(deps, tx, { ...recovery, passwordHash, client }));
  deps.outbox.wake();
  return { success: true, message: "Your password is changed. Sign in with the new one." };
}

const isUsable = ({ recoveryExpiresAt, usedAt }: queries.PasswordReset, now: Date) =>
  !usedAt && recoveryExpiresAt !== null && recoveryExpiresAt > now;

type Replacement = { id: string; userId: string; email: string; passwordHash: string; client: Client };

async function replacePassword({ now: clock, outbox }: Deps, tx: Tx, replacement: Replacement): Promise<void> {
  const { id, userId, email, passwordHash, client } = replacement;
  const now = clock();
  // The member's row first: whoever else changes the password or signs in with the old one waits here.
  await setPassword(tx, { userId, passwordHash, now });
  if (!(await queries.useRecovery(tx, { id, now }))) throw new AppError("EXPIRED", RECOVERY_GONE);
  await queries.endResetsOf(tx, { userId, now });
  const scope = { db: tx, now: clock };
  await endSessions(scope, { userId });
  await recordEvent(scope, { userId, kind: "password-reset", client });
  await outbox.post(tx, letters.passwordChanged(email, { at: now }), expiryOfNotice(now));
}
