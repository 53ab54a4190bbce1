import { uuidv7 } from "uuidv7";
import { takeMailAllowance } from "../auth/mail-allowance.ts";
import { SIGN_UP_LIFETIME_SECONDS } from "../auth/contract.ts";
import { managesAddresses, setAddress } from "../auth/address.ts";
import { endOpenRequests } from "../auth/open-requests.ts";
import { requirePassword } from "../auth/password/require-password.ts";
import type { AuthProvider } from "../auth/provider/auth-provider.ts";
import { findAccount, lockEmail } from "../auth/queries.ts";
import type { Tx } from "../db/client.ts";
import { inTransaction } from "../db/transaction.ts";
import { isUniqueViolation } from "../db/unavailable.ts";
import type { Deps } from "../deps.ts";
import { AppError } from "../errors.ts";
import type { Caller, Requester } from "../http/endpoint.ts";
import { emailKey } from "../mail/email-key.ts";
import {
  nextResendStep,
  nextResendStepFor,
  findMailed,
  toResend,
  type ResendStep,
} from "../mailed-code/resend-ladder.ts";
import { generateCode, NOBODYS_CODE, usedUpCode, wrongCode } from "../mailed-code/verification-code.ts";
import { LIMITS } from "../rate-limits/rules.ts";
import { recordEvent } from "../security-activity/service.ts";
import { endSessions, forgetDevices, lockCallerSession } from "../sessions/service.ts";
import type { EmailChange, EmailChangeResult, RequestEmailChangeInput, VerifyEmailChangeInput } from "./contract.ts";
import * as emails from "./emails.ts";
import * as queries from "./queries.ts";

const SAME = "You already sign in with this address.";
const GONE = "This code has expired. Please ask for a new one.";
const TAKEN = "This address has an account of its own now. Please use another one.";

/**
 * Throws REQUIREMENTS_NOT_MET if addresses are kept elsewhere, even for a request from before they were moved there.
 */
function requireOwnAddresses(deps: Deps): void {
  if (!managesAddresses(deps)) throw new AppError("REQUIREMENTS_NOT_MET", "Your address cannot be changed here.");
}

/** Returns whether a member can change the address they sign in with, and the new address that waits for its code. */
export async function readEmailChange(deps: Deps, { userId }: Pick<Caller, "userId">): Promise<EmailChange> {
  const change = await queries.findChange(deps.db, userId);
  const isOpen = change !== undefined && change.expiresAt > deps.now();
  return {
    isOffered: managesAddresses(deps),
    pending: isOpen ? { email: change.email, resend: toResend(change) } : null,
  };
}

/**
 * Mails a code to the address that a member wants to sign in with. Does the same and gives the same response for an
 * address that has an account; only the email to its owner says so. Throws VALIDATION_ERROR for a wrong password or the
 * address that they already have, TOO_MANY_ATTEMPTS, REQUIREMENTS_NOT_MET if addresses are kept elsewhere, UNAVAILABLE
 * if the password cannot be checked now, and UNAUTHENTICATED if the session has ended meanwhile.
 */
export async function requestEmailChange(
  deps: Deps,
  provider: Pick<AuthProvider, "provePassword">,
  { email, password }: RequestEmailChangeInput,
  { caller, client }: Requester,
): Promise<EmailChangeResult> {
  const { userId } = caller;
  requireOwnAddresses(deps);
  await requirePassword(deps, provider, { userId, password });
  const step = await inTransaction(deps.db, async (tx) => {
    const former = await lockEmail(tx, userId);
    await lockCallerSession(tx, caller);
    if (emailKey(former) === emailKey(email)) {
      throw new AppError("VALIDATION_ERROR", SAME, { fields: { email: [SAME] } });
    }
    const before = await queries.lockChange(tx, userId);
    const next = nextResendStepFor(before, email, deps.now());
    await mailCode(deps, tx, { userId, email, step: next, client, before });
    return next;
  });
  return { resend: toResend(step) };
}

/** Mails a new code to the same address. Throws TOO_MANY_ATTEMPTS, EXPIRED and REQUIREMENTS_NOT_MET. */
export async function resendEmailChange(
  deps: Deps,
  { caller: { userId }, client }: Requester,
): Promise<EmailChangeResult> {
  requireOwnAddresses(deps);
  const step = await inTransaction(deps.db, async (tx) => {
    const now = deps.now();
    const change = await queries.lockChange(tx, userId);
    if (!change || change.expiresAt <= now) throw new AppError("EXPIRED", GONE);
    const next = nextResendStep(change, now);
    await mailCode(deps, tx, { userId, email: change.email, step: next, client, before: change });
    return next;
  });
  return { resend: toResend(step) };
}

type CodeMail = Pick<Requester, "client"> & {
  userId: string;
  email: string;
  step: ResendStep;
  before: queries.PendingChange | undefined;
};

async function mailCode(deps: Deps, tx: Tx, { userId, email, step, client, before }: CodeMail): Promise<void> {
  const id = uuidv7();
  const code = generateCode();
  const expiresAt = new Date(step.mailedAt.getTime() + SIGN_UP_LIFETIME_SECONDS * 1000);
  const account = await findAccount(tx, emailKey(email));
  const content = account ? emails.addressInUse(account.email) : emails.confirmAddress(email, { code });
  const isMailed = await takeMailAllowance({ db: tx, limits: deps.limits }, email, client);
  if (isMailed) await deps.outbox.post(tx, { ...content, matter: `email change ${userId}` }, expiresAt);
  const pending = isMailed ? undefined : findMailed(before, email, step.mailedAt);
  const codeHash = deps.mailed.hashCode(id, isMailed && !account ? code : NOBODYS_CODE);
  const asked = pending ?? { id, codeHash, expiresAt };
  await queries.saveChange(tx, { userId, email, ...asked, ...step });
}

/**
 * Changes the address that the member signs in with. Ends every other session and every other open request, and mails a
 * notice to the former address. Throws VALIDATION_ERROR for a wrong code, TOO_MANY_ATTEMPTS after five, EXPIRED,
 * REQUIREMENTS_NOT_MET, and CONFLICT if the address got an account meanwhile.
 */
export async function verifyEmailChange(
  deps: Deps,
  { verificationCode }: VerifyEmailChangeInput,
  requester: Requester,
) {
  const { userId } = requester.caller;
  requireOwnAddresses(deps);
  await deps.limits.take(LIMITS.emailCodeByAccount, userId);
  const change = await queries.countAttempt(deps.db, { userId, now: deps.now() });
  if (!change) return refuseAttempt(deps, userId);
  if (!deps.mailed.isCode(change.id, verificationCode, change.codeHash)) throw wrongCode(change.codeAttempts);
  try {
    await inTransaction(deps.db, (tx) => moveTo(deps, tx, change, requester));
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    throw new AppError("CONFLICT", TAKEN, { cause: error });
  }
  return { success: true, message: `You sign in with ${change.email} from now on.` };
}

async function refuseAttempt({ db, now: clock }: Deps, userId: string): Promise<never> {
  const now = clock();
  const change = await queries.findChange(db, userId);
  if (!change || change.expiresAt <= now) throw new AppError("EXPIRED", GONE);
  throw usedUpCode(change, now);
}

async function moveTo(deps: Deps, tx: Tx, change: queries.PendingChange, { caller, client }: Requester): Promise<void> {
  const { email, id, userId } = change;
  const former = await lockEmail(tx, userId);
  if (!(await queries.useChange(tx, { userId, id }))) throw new AppError("EXPIRED", GONE);
  const now = deps.now();
  const scope = { db: tx, now: deps.now };
  await setAddress(deps, tx, { userId, email, now });
  await endSessions(scope, { userId, but: caller.sessionId });
  await forgetDevices(tx, { userId, but: client.deviceHash });
  await endOpenRequests(tx, { userId, now });
  await recordEvent(scope, { userId, kind: "email-changed", client });
  await deps.outbox.post(tx, { ...emails.addressChanged(former, { at: now }), of: email });
}
