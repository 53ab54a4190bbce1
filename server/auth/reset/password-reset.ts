import { uuidv7 } from "uuidv7";
import type { Db, Tx } from "../../db/client.ts";
import { inTransaction } from "../../db/transaction.ts";
import type { Deps } from "../../deps.ts";
import { AppError } from "../../errors.ts";
import { limitKeyOf, type Client } from "../../http/client.ts";
import { LIMITS } from "../../rate-limits/rules.ts";
import { recordEvent } from "../../security-activity/service.ts";
import { rememberDevice } from "../../sessions/queries.ts";
import { endSessions, forgetDevices } from "../../sessions/service.ts";
import { takeMailAllowance } from "../mail-allowance.ts";
import { refuseGuessable } from "../../password-rules/refuse-guessable.ts";
import {
  RECOVERY_LIFETIME_SECONDS,
  RESET_LIFETIME_SECONDS,
  type ForgotPasswordInput,
  type ForgotPasswordResult,
  type RecoveryResult,
  type ResendResult,
  type ResetPasswordInput,
  type TokenInput,
} from "../contract.ts";
import { createCredential, hashCredential } from "../../secrets/credential.ts";
import { emailKey } from "../../mail/email-key.ts";
import * as emails from "../emails.ts";
import { endOpenRequests } from "../open-requests.ts";
import * as queries from "./password-reset.queries.ts";
import { findAccount, lockEmail, setPassword } from "../queries.ts";
import { nextResendStep, firstResendStep, toResend } from "../../mailed-code/resend-ladder.ts";

const ASK_AGAIN = "Please ask for a new one.";
export const LINK_GONE = `This link has expired. ${ASK_AGAIN}`;
const LINK_USED = `This link has already been used. ${ASK_AGAIN}`;
const REQUEST_GONE = `This request has expired. ${ASK_AGAIN}`;
export const RECOVERY_GONE = `Your time to choose a password has run out. ${ASK_AGAIN}`;
const RECOVERY_USED =
  "This request is over. If you have just chosen a new password, sign in with it. If not, ask for a new link.";
export const RESET = { success: true, message: "Your password has been changed. Sign in with the new one." };

/**
 * Mails a link for choosing a new password. Does the same and gives the same response for an address without an
 * account; only the email says so. Throws BOT_CHECK_FAILED and TOO_MANY_ATTEMPTS.
 */
export async function forgotPassword(deps: Deps, input: ForgotPasswordInput, client: Client) {
  return saveReset(deps, input, client, (tx, reset) => postReset(deps, tx, reset, client));
}

type Posted = Pick<queries.PasswordReset, "id" | "userId" | "email" | "expiresAt" | "linkHash"> & { isOver?: boolean };
/** Returns whether the link gets mailed. If not, the link mailed before keeps working. */
type Post = (tx: Tx, reset: Posted) => Promise<boolean>;

/** Saves a request for a new password, and sends its email with `post`. Throws as `forgotPassword` does. */
export async function saveReset(
  deps: Deps,
  { email, turnstileToken }: ForgotPasswordInput,
  client: Client,
  post: Post,
): Promise<ForgotPasswordResult> {
  await deps.limits.take(LIMITS.forgotByClient, limitKeyOf(client.address));
  await deps.botCheck.verify(turnstileToken, client);
  const now = deps.now();
  const id = uuidv7();
  const { token, hash } = createCredential("reset");
  const step = firstResendStep(now);
  const expiresAt = new Date(now.getTime() + RESET_LIFETIME_SECONDS * 1000);
  await inTransaction(deps.db, async (tx) => {
    const account = await findAccount(tx, emailKey(email));
    const linkHash = deps.mailed.createLink("resetLink", id).hash;
    const reset = { id, userId: account?.id ?? null, email: account?.email ?? email, linkHash, expiresAt };
    await queries.insertReset(tx, { ...reset, tokenHash: hash, ...step });
    // Without a mail there is no event: anybody may ask, and nobody should fill a member's list of events.
    if (await post(tx, reset))
      await recordEvent({ db: tx, now: deps.now }, { userId: account?.id, kind: "password-reset-requested", client });
  });
  return { resetToken: token, resend: toResend(step) };
}

async function postReset({ limits, mailed, outbox }: Deps, tx: Tx, reset: Posted, client: Client): Promise<boolean> {
  const { id, userId, email, linkHash, expiresAt, isOver } = reset;
  const linkToken = mailed.repeatLink("resetLink", id, linkHash).token;
  const inTime = isOver ? emails.resetLinkUsed(email) : emails.passwordReset(email, { linkToken });
  const isMailed = await takeMailAllowance({ db: tx, limits }, email, client);
  if (isMailed) await outbox.post(tx, userId ? inTime : emails.noAccount(email), expiresAt);
  return isMailed;
}

/** Mails the same link again. Throws TOO_MANY_ATTEMPTS if it is too early, and EXPIRED. */
export async function resendPasswordReset(deps: Deps, input: TokenInput, client: Client): Promise<ResendResult> {
  const { step } = await renewReset(deps, input, (tx, reset) => postReset(deps, tx, reset, client));
  return { resend: toResend(step) };
}

/**
 * Sends one more email and climbs one step. Returns the step, and the reset as it was before. Throws as
 * `resendPasswordReset` does.
 */
export async function renewReset(deps: Deps, { token }: TokenInput, post: Post) {
  return inTransaction(deps.db, async (tx) => {
    const now = deps.now();
    const reset = requireRunning(await queries.lockReset(tx, hashCredential(token)), now);
    const step = nextResendStep(reset, now);
    // The same link, or a new one if its secret is gone.
    const linkHash = deps.mailed.repeatLink("resetLink", reset.id, reset.linkHash).hash;
    // The response is the same as for any other: only the mailbox may learn what became of the link.
    const isOver = reset.recoveryHash !== null || reset.usedAt !== null;
    const isMailed = await post(tx, { ...reset, linkHash, isOver });
    await queries.renewMail(tx, reset.id, { ...step, linkHash: isMailed ? linkHash : reset.linkHash });
    return { before: reset, step };
  });
}

/**
 * Returns a reset whose hour is not over, even if its link has been used. Throws EXPIRED, also if there is no reset.
 */
function requireRunning(reset: queries.PasswordReset | undefined, now: Date): queries.PasswordReset {
  if (reset && reset.expiresAt > now) return reset;
  throw new AppError("EXPIRED", REQUEST_GONE);
}

/**
 * Exchanges a mailed link, once, for a session that can only set a password. Throws EXPIRED, ALREADY_USED and
 * TOO_MANY_ATTEMPTS.
 */
export async function openRecovery(deps: Deps, { token }: TokenInput, client: Client): Promise<RecoveryResult> {
  const { db, now } = deps;
  await deps.limits.take(LIMITS.mailedTokensByClient, limitKeyOf(client.address));
  const at = now();
  const linkHash = hashCredential(token);
  const recovery = createCredential("recovery");
  const recoveryExpiresAt = new Date(at.getTime() + RECOVERY_LIFETIME_SECONDS * 1000);
  const opened = await queries.openReset(db, { linkHash, recoveryHash: recovery.hash, recoveryExpiresAt, now: at });
  if (opened) return { recoveryToken: recovery.token, email: opened.email };

  const reset = await queries.findReset(db, { linkHash });
  if (reset && reset.expiresAt > at) throw new AppError("ALREADY_USED", LINK_USED);
  throw new AppError("EXPIRED", LINK_GONE);
}

/**
 * Sets the password in a recovery session. Ends that session, every other session of the member and every open request
 * for a new password or another address, and mails a notice. Throws EXPIRED, ALREADY_USED, VALIDATION_ERROR for a
 * common password, TOO_MANY_ATTEMPTS, and UNAVAILABLE if too many passwords are being hashed.
 */
export async function resetPassword(deps: Deps, { token, password }: ResetPasswordInput, client: Client) {
  const recovery = await checkRecovery(deps, { token, password }, client);
  const passwordHash = await deps.passwords.hash(password);
  await inTransaction(deps.db, (tx) => replacePassword(deps, tx, { ...recovery, passwordHash, client }));
  return RESET;
}

/** Returns the recovery session in which to set a password. Throws as `resetPassword` does. */
export async function checkRecovery(deps: Deps, { token, password }: ResetPasswordInput, client: Client) {
  await deps.limits.take(LIMITS.mailedTokensByClient, limitKeyOf(client.address));
  const recovery = await queries.findRecovery(deps.db, hashCredential(token));
  if (!recovery?.recoveryExpiresAt || recovery.recoveryExpiresAt <= deps.now()) {
    throw new AppError("EXPIRED", RECOVERY_GONE);
  }
  if (recovery.usedAt) throw new AppError("ALREADY_USED", RECOVERY_USED);
  refuseGuessable(password, recovery.email);
  return recovery;
}

type Recovery = { userId: string; client: Client };

async function replacePassword(
  deps: Deps,
  tx: Tx,
  recovery: Recovery & { id: string; passwordHash: string },
): Promise<void> {
  const { userId, passwordHash } = recovery;
  // Lock the member's row first: others who change the password, or sign in with the old one, then wait here.
  await setPassword(tx, { userId, passwordHash, now: deps.now() });
  await consumeRecovery(tx, { id: recovery.id, now: deps.now() });
  await finishReset(deps, tx, recovery);
}

/** Uses up a recovery session. Throws ALREADY_USED for every use but the first. */
export async function consumeRecovery(db: Db | Tx, recovery: { id: string; now: Date }): Promise<void> {
  if (!(await queries.useRecovery(db, recovery))) throw new AppError("ALREADY_USED", RECOVERY_USED);
}

/** Does what follows from a password set in a recovery session, whichever provider keeps it. */
export async function finishReset({ now: clock, outbox }: Deps, tx: Tx, recovery: Recovery): Promise<void> {
  const { userId, client } = recovery;
  const email = await lockEmail(tx, userId);
  const now = clock();
  await endOpenRequests(tx, { userId, now });
  const scope = { db: tx, now: clock };
  await endSessions(scope, { userId });
  await forgetDevices(tx, { userId });
  // The mailbox is theirs, so nobody who guesses meanwhile may lock them out of the sign-in that follows.
  if (client.deviceHash) await rememberDevice(tx, { userId, tokenHash: client.deviceHash, now });
  await recordEvent(scope, { userId, kind: "password-reset", client });
  await outbox.post(tx, emails.passwordChanged(email, { at: now }));
}
