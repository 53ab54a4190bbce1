import { randomBytes } from "node:crypto";
import type { AuthError, AuthResponse, GoTrueClient, Session } from "@supabase/auth-js";
import * as z from "zod";
import { inTransaction } from "../../db/transaction.ts";
import { AppError } from "../../errors.ts";
import { limitKeyOf, type Client } from "../../http/client.ts";
import { readUser } from "../../profile/service.ts";
import { LIMITS } from "../../rate-limits/rules.ts";
import {
  SIGN_UP_LIFETIME_SECONDS,
  type ResendResult,
  type SignUpInput,
  type SignUpResult,
  type TokenInput,
  type VerifyInput,
  type VerifyResult,
} from "../contract.ts";
import { kindOfCredential } from "../../secrets/credential.ts";
import { takeMailAllowance } from "../mail-allowance.ts";
import { emailKey } from "../../mail/email-key.ts";
import * as emails from "../emails.ts";
import { findAccount } from "../queries.ts";
import { toResend } from "../../mailed-code/resend-ladder.ts";
import { NOBODYS_CODE } from "../../mailed-code/verification-code.ts";
import { areFromOneBrowser, checkCode, checkSignUp, GONE, saveSignUp, renewVerification } from "../sign-up/sign-up.ts";
import { findOpenSignUps, undoRenewal, type SignUp } from "../sign-up/sign-up.queries.ts";
import {
  toAppError,
  hasCode,
  runInEqualTime,
  isSpent,
  openClient,
  refuseLongPassword,
  refuseWeakPassword,
  requireSession,
  setPassword,
  type SupabaseDeps,
} from "./supabase-client.ts";
import { admit } from "./supabase-members.ts";
import { endRefused } from "./supabase-sessions.ts";

/** Supabase's error codes for a known address. No response of ours may depend on them. */
const TAKEN = ["user_already_exists", "email_exists"] as const;
const EXPECTED_CODES = [...TAKEN, "over_email_send_rate_limit"] as const;

const SEVERAL = "There was more than one sign-up with this address. Choose a new password, then sign in with it.";
const UNREADABLE = "We can no longer read the password you chose. Choose a new password, then sign in with it.";

/**
 * Does what the embedded provider does (../sign-up/sign-up.ts). Supabase mails a code and a link, but nothing to
 * somebody who has an account.
 */
export async function signUp(deps: SupabaseDeps, input: SignUpInput, client: Client): Promise<SignUpResult> {
  const { email, password } = input;
  refuseLongPassword(password);
  await checkSignUp(deps, input, client);
  let isMailed = false;
  const sealPassword = (id: string) => deps.supabase.seal.seal(id, JSON.stringify({ password }));
  const pending = await saveSignUp(deps, { ...input, client, passwordHash: null, sealPassword }, async (tx) => {
    isMailed = await takeMailAllowance({ db: tx, limits: deps.limits }, email, client);
    return isMailed;
  });
  await runInEqualTime(deps, async () => {
    if (!isMailed) return;
    const answer = await openClient(deps.supabase).signUp({ email, password });
    refuseWeakPassword(answer);
    refuseAddress(answer);
    ensureMailed(deps, answer);
    if (isExistingAccount(answer)) await mailOwner(deps, email);
  });
  return pending;
}

/** Whether Supabase knows the address. For a known one, it may make up a user without identities. */
const isExistingAccount = (answer: AuthResponse) =>
  hasCode(answer, TAKEN) || answer.data.user?.identities?.length === 0;

/**
 * Mails the owner of a known address that they can sign in, because Supabase mails them nothing. Supabase may know
 * somebody whose account here was deleted, or who never had one.
 */
async function mailOwner({ db, now, outbox }: SupabaseDeps, email: string): Promise<void> {
  const expiresAt = new Date(now().getTime() + SIGN_UP_LIFETIME_SECONDS * 1000);
  await inTransaction(db, async (tx) => {
    const account = await findAccount(tx, emailKey(email));
    const content = account ? emails.accountExists(account.email) : emails.passwordWorks(email);
    await outbox.post(tx, content, expiresAt);
  });
}

/**
 * Throws VALIDATION_ERROR for a malformed address. Nothing else in the form can be malformed here: the password was
 * checked before.
 */
function refuseAddress(answer: { error: AuthError | null }): void {
  if (!hasCode(answer, ["email_address_invalid", "validation_failed"])) return;
  const message = "Enter a valid email.";
  throw new AppError("VALIDATION_ERROR", message, { fields: { email: [message] }, cause: answer.error });
}

function ensureMailed(deps: SupabaseDeps, answer: { error: AuthError | null }): void {
  if (answer.error && !hasCode(answer, EXPECTED_CODES)) throw toAppError(deps, answer.error);
  if (answer.error) deps.log.warn({ code: answer.error.code }, "Supabase has not sent a mail");
}

/** Does what the embedded provider does (../sign-up/sign-up.ts). The code, or the token of the link, is Supabase's. */
export async function verify(deps: SupabaseDeps, input: VerifyInput, client: Client): Promise<VerifyResult> {
  await deps.limits.take(LIMITS.mailedTokensByClient, limitKeyOf(client.address));
  const { session, signUp } =
    kindOfCredential(input.token) === "signUp" ? await verifyCode(deps, input) : await verifyLink(deps, input);
  const { userId, accessToken } = await admit(deps, { session, signUp, client });
  return { accessToken, user: await readUser(deps, userId) };
}

type Verified = { session: Session; signUp: SignUp | undefined };

async function verifyCode(deps: SupabaseDeps, input: VerifyInput): Promise<Verified> {
  const supabase = openClient(deps.supabase);
  const { signUp, proof } = await checkCode(deps, input, async ({ codeHash, email, id }, code) => {
    // At Supabase a code belongs to an address. If no email was sent for this sign-up, nobody may guess that code
    // through it. Supabase is called all the same, so that the time reveals nothing. With the type "email", it would
    // also take the code of the member's new password.
    const token = deps.mailed.isCode(id, NOBODYS_CODE, codeHash) ? NOBODYS_CODE : code;
    const answer = await supabase.verifyOtp({ email, token, type: "signup" });
    return isSpent(answer) ? undefined : requireSession(deps, answer);
  });
  await setChosenPassword(deps, supabase, signUp).catch((error: unknown) => endRefused(deps, proof, error));
  return { signUp, session: proof };
}

/**
 * Verifies a link. A link does not say whose sign-up it belongs to. If there are several, one may be a stranger's: then
 * no password chosen so far may work, and the owner of the mailbox chooses one. Throws CONFLICT in that case.
 */
async function verifyLink(deps: SupabaseDeps, { token }: TokenInput): Promise<Verified> {
  const supabase = openClient(deps.supabase);
  const answer = await supabase.verifyOtp({ token_hash: token, type: "signup" });
  if (isSpent(answer)) throw new AppError("EXPIRED", GONE);
  const session = requireSession(deps, answer);
  const open = await findOpenSignUps(deps.db, { email: session.user.email ?? "", now: deps.now() });
  await settlePassword(deps, supabase, open).catch((error: unknown) => endRefused(deps, session, error));
  return { session, signUp: open[0] };
}

async function settlePassword(deps: SupabaseDeps, supabase: GoTrueClient, open: SignUp[]): Promise<void> {
  const [signUp] = open;
  if (areFromOneBrowser(open)) return signUp && setChosenPassword(deps, supabase, signUp);
  await setPassword(deps, supabase, generatePassword());
  throw new AppError("CONFLICT", SEVERAL);
}

const generatePassword = () => randomBytes(32).toString("base64url");

/**
 * Sets the password that was chosen in this sign-up. Supabase keeps the password of the first sign-up with an address,
 * even if that was a stranger's. If the chosen password can no longer be decrypted, no password may work: sets a random
 * one and throws CONFLICT.
 */
async function setChosenPassword(deps: SupabaseDeps, supabase: GoTrueClient, signUp: SignUp): Promise<void> {
  const password = openPassword(deps, signUp);
  await setPassword(deps, supabase, password ?? generatePassword());
  if (password === undefined) throw new AppError("CONFLICT", UNREADABLE);
}

/** Decrypts the chosen password. Returns undefined if there is none, or if its secret is gone. */
function openPassword({ supabase: { seal } }: SupabaseDeps, { id, sealedPassword }: SignUp): string | undefined {
  if (!sealedPassword || seal.whose(id, sealedPassword) === undefined) return undefined;
  return z.object({ password: z.string() }).parse(JSON.parse(seal.open(id, sealedPassword))).password;
}

/**
 * Does what the embedded provider does (../sign-up/sign-up.ts). Climbs the step before the request to Supabase: of
 * several simultaneous calls, only one then mails, and no later email replaces its code.
 */
export async function resendVerification(deps: SupabaseDeps, input: TokenInput, client: Client): Promise<ResendResult> {
  let isMailed = false;
  const { before, step } = await renewVerification(deps, input, async (tx, { email }) => {
    isMailed = await takeMailAllowance({ db: tx, limits: deps.limits }, email, client);
    return isMailed;
  });
  await runInEqualTime(deps, async () => {
    if (isMailed) ensureMailed(deps, await openClient(deps.supabase).resend({ type: "signup", email: before.email }));
  }).catch(async (error: unknown) => {
    await undoRenewal(deps.db, before, step.mailedAt);
    throw error;
  });
  return { resend: toResend(step) };
}
