import { uuidv7 } from "uuidv7";
import { announce } from "../../announcements/announce.queries.ts";
import type { Tx } from "../../db/client.ts";
import { inTransaction } from "../../db/transaction.ts";
import type { Deps } from "../../deps.ts";
import { AppError } from "../../errors.ts";
import { limitKeyOf, type Client } from "../../http/client.ts";
import { readUser } from "../../profile/service.ts";
import { LIMITS } from "../../rate-limits/rules.ts";
import { recordReferral } from "../../referrals/service.ts";
import { recordEvent } from "../../security-activity/service.ts";
import { startSession, type ProviderSession } from "../../sessions/service.ts";
import { takeMailAllowance } from "../mail-allowance.ts";
import { refuseGuessable } from "../../password-rules/refuse-guessable.ts";
import {
  SIGN_UP_LIFETIME_SECONDS,
  type ResendResult,
  type SignUpInput,
  type SignUpResult,
  type TokenInput,
  type VerifyInput,
  type VerifyResult,
} from "../contract.ts";
import { createCredential, hashCredential, kindOfCredential } from "../../secrets/credential.ts";
import { emailKey } from "../../mail/email-key.ts";
import * as emails from "../emails.ts";
import { mailboxKey } from "../../mail/mailbox-key.ts";
import { findAccount, findInviter } from "../queries.ts";
import { findInviterId, registerMember } from "./registration.ts";
import { CODE_ATTEMPTS } from "../../mailed-code/contract.ts";
import { nextResendStep, firstResendStep, toResend } from "../../mailed-code/resend-ladder.ts";
import { listMailboxHashes } from "../../mailed-code/former-keys.ts";
import * as queries from "./sign-up.queries.ts";
import { invalidCode, generateCode, NOBODYS_CODE, usedUpCode, wrongCode } from "../../mailed-code/verification-code.ts";

export const GONE = "This sign-up has expired. Please sign up again.";
const SEVERAL =
  "There was more than one sign-up with this address. Enter the code from our email on the page where you signed up, or sign up again and enter the new code.";
const USED = "This email is already confirmed. Sign in with your password.";

/**
 * Saves a sign-up, and mails a code and a link. Does the same and gives the same response for an address that has an
 * account; only the email to its owner says so. Throws VALIDATION_ERROR for a common password or a referral code that
 * nobody has, BOT_CHECK_FAILED, TOO_MANY_ATTEMPTS, and UNAVAILABLE if too many passwords are being hashed.
 */
export async function signUp(deps: Deps, input: SignUpInput, client: Client) {
  deps.passwords.ensureRoom();
  await checkSignUp(deps, input, client);
  const passwordHash = await deps.passwords.hash(input.password);
  return saveSignUp(deps, { ...input, client, passwordHash }, (tx, verification) =>
    postVerification(deps, tx, verification, client),
  );
}

type NewSignUp = Pick<SignUpInput, "email" | "referralCode"> & {
  client: Client;
  passwordHash: string | null;
  /** Encrypts the password, for a provider that gets it only after the address is verified. */
  sealPassword?: (id: string) => Buffer;
};
type Verification = Pick<queries.SignUp, "id" | "email" | "expiresAt" | "linkHash"> & { code: string };
/** Returns whether the code gets mailed. A code that is not mailed must not work. */
type Post = (tx: Tx, verification: Verification) => Promise<boolean>;

/** Saves a sign-up until the address is verified, and sends the email for that with `post`. */
export async function saveSignUp(deps: Deps, { client, passwordHash, sealPassword, ...asked }: NewSignUp, post: Post) {
  const { email, referralCode } = asked;
  const now = deps.now();
  const id = uuidv7();
  const { token, hash } = createCredential("signUp");
  const step = firstResendStep(now);
  const expiresAt = new Date(now.getTime() + SIGN_UP_LIFETIME_SECONDS * 1000);
  await inTransaction(deps.db, async (tx) => {
    const code = generateCode();
    const linkHash = deps.mailed.createLink("verifyLink", id).hash;
    const isMailed = await post(tx, { id, email, linkHash, code, expiresAt });
    const codeHash = deps.mailed.hashCode(id, isMailed ? code : NOBODYS_CODE);
    const hashes = { tokenHash: hash, linkHash, codeHash, passwordHash, sealedPassword: sealPassword?.(id) };
    await queries.insertSignUp(tx, {
      id,
      ...hashes,
      email,
      referralCode,
      deviceHash: client.deviceHash,
      ...step,
      expiresAt,
    });
  });
  return { signupToken: token, resend: toResend(step) } satisfies SignUpResult;
}

/** Checks a sign-up, whichever provider keeps the password. Throws as `signUp` does. */
export async function checkSignUp(deps: Deps, input: SignUpInput, client: Client): Promise<void> {
  const { email, password, referralCode, turnstileToken } = input;
  const from = limitKeyOf(client.address);
  refuseGuessable(password, email);
  await deps.limits.take(LIMITS.signUpByClient, from);
  await deps.botCheck.verify(turnstileToken, client);
  if (referralCode !== undefined) await findInviterId(deps.db, referralCode);
  // Comes last, so that a refused sign-up uses up none of somebody else's limit.
  await deps.limits.take(LIMITS.signUpByClientAndAddress, `${from} ${emailKey(email)}`);
  await deps.limits.take(LIMITS.signUpByAddress, emailKey(email));
}

async function postVerification(deps: Deps, tx: Tx, verification: Verification, client: Client): Promise<boolean> {
  const { id, email, linkHash, code, expiresAt } = verification;
  const account = await findAccount(tx, emailKey(email));
  const linkToken = deps.mailed.repeatLink("verifyLink", id, linkHash).token;
  const content = account ? emails.accountExists(account.email) : emails.verification(email, { code, linkToken });
  const isMailed = await takeMailAllowance({ db: tx, limits: deps.limits }, email, client);
  if (isMailed) await deps.outbox.post(tx, { ...content, matter: id }, expiresAt);
  return isMailed && !account;
}

/**
 * Creates a member for an address that is proved by code or link, gives them and their inviter what the invitation
 * earns, and signs them in: all in one transaction, and only once. Throws VALIDATION_ERROR for a wrong code,
 * TOO_MANY_ATTEMPTS after five, EXPIRED, ALREADY_USED, CONFLICT if the address got an account meanwhile, and
 * REQUIREMENTS_NOT_MET for a link if there are several sign-ups.
 */
export async function verify(deps: Deps, input: VerifyInput, client: Client): Promise<VerifyResult> {
  const { token } = input;
  await deps.limits.take(LIMITS.mailedTokensByClient, limitKeyOf(client.address));
  const id =
    kindOfCredential(token) === "verifyLink"
      ? await checkLink(deps, token)
      : (await checkCode(deps, input, compareCode(deps))).signUp.id;
  const { userId, accessToken } = await inTransaction(deps.db, (tx) => becomeMember(deps, tx, { id, client }));
  return { accessToken, user: await readUser(deps, userId) };
}

/**
 * Returns the id of a link's sign-up. A link proves whose address it is, but not whose password: if there are several
 * sign-ups, one may be a stranger's, who chose the password. Throws REQUIREMENTS_NOT_MET in that case.
 */
async function checkLink({ db, now }: Deps, token: string): Promise<string> {
  const at = now();
  const signUp = requireOpen(await queries.findSignUp(db, { linkHash: hashCredential(token) }), at);
  if (!areFromOneBrowser(await queries.findOpenSignUps(db, { email: signUp.email, now: at })))
    throw new AppError("REQUIREMENTS_NOT_MET", SEVERAL);
  return signUp.id;
}

/** Whether all sign-ups were made in one browser. */
export const areFromOneBrowser = ([latest, ...others]: queries.SignUp[]): boolean =>
  others.every(({ deviceHash }) => deviceHash !== null && latest?.deviceHash?.equals(deviceHash));

const compareCode =
  ({ mailed }: Deps) =>
  async ({ id, codeHash }: queries.SignUp, code: string) =>
    mailed.isCode(id, code, codeHash) ? true : undefined;

/**
 * Returns a sign-up and the proof that its code is right. Counts the attempt before it checks the code. Throws as
 * `verify` does.
 */
export async function checkCode<Proof>(
  deps: Deps,
  { token, verificationCode }: VerifyInput,
  prove: (signUp: queries.SignUp, code: string) => Promise<Proof | undefined>,
): Promise<{ signUp: queries.SignUp; proof: Proof }> {
  if (verificationCode === undefined) throw invalidCode("Enter the code.");
  const tokenHash = hashCredential(token);
  const signUp = await queries.countAttempt(deps.db, { tokenHash, now: deps.now() });
  if (!signUp) throw usedUpCode(requireOpen(await queries.findSignUp(deps.db, { tokenHash }), deps.now()), deps.now());
  const proof = await prove(signUp, verificationCode);
  if (proof !== undefined) return { signUp, proof };
  throw wrongCode(signUp.codeAttempts);
}

/** Returns a sign-up that can still be finished. Throws EXPIRED, also if there is no sign-up, and ALREADY_USED. */
function requireOpen(signUp: queries.SignUp | undefined, now: Date): queries.SignUp {
  if (!signUp || signUp.expiresAt <= now) throw new AppError("EXPIRED", GONE);
  if (signUp.usedAt) throw new AppError("ALREADY_USED", USED);
  return signUp;
}

async function becomeMember(deps: Deps, tx: Tx, { id, client }: { id: string; client: Client }) {
  const signUp = await queries.useSignUp(tx, { id, now: deps.now() });
  if (!signUp) throw new AppError("ALREADY_USED", USED);
  return admitNewcomer(deps, tx, { ...signUp, client });
}

type Newcomer = Pick<queries.SignUp, "email" | "passwordHash" | "referralCode"> & {
  client: Client;
  /** The provider's id for them, if another provider keeps the password. */
  providerSubject?: string;
};

/** Creates a member for a verified address, and signs them in. */
export async function admitNewcomer(
  deps: Deps,
  tx: Tx,
  { providerSession, ...newcomer }: Newcomer & { providerSession?: ProviderSession },
) {
  const userId = await enrol(deps, tx, newcomer);
  const { client } = newcomer;
  const { token } = await startSession({ db: tx, now: deps.now }, { userId, client, providerSession });
  return { userId, accessToken: token };
}

/** Creates a member for a verified address, with everything that an invitation earns. Returns the member's id. */
export async function enrol({ mailed, now, passwords }: Deps, tx: Tx, newcomer: Newcomer): Promise<string> {
  const { client, referralCode, email, passwordHash, providerSubject } = newcomer;
  const scope = { db: tx, now, passwords };
  // The inviter may have left since the sign-up.
  const isInvited = referralCode !== null && (await findInviter(tx, referralCode.toUpperCase())) !== undefined;
  const identity = { email, passwordHash, providerSubject, ...(isInvited && { referralCode }) };
  const { id: userId, invitedBy } = await registerMember(scope, identity);
  const { deviceHash } = client;
  const at = now();
  if (invitedBy) {
    const mailboxHashes = await listMailboxHashes({ db: tx, mailed }, mailboxKey(emailKey(email)));
    await recordReferral(tx, { inviterId: invitedBy, inviteeId: userId, deviceHash, mailboxHashes, at });
  }
  await recordEvent(scope, { userId, kind: "account-created", client });
  await announce(tx, { type: "member.verified", subject: userId, at, data: { memberId: userId } });
  return userId;
}

/** Mails a new code and the same link. Throws TOO_MANY_ATTEMPTS if it is too early, EXPIRED and ALREADY_USED. */
export async function resendVerification(deps: Deps, input: TokenInput, client: Client): Promise<ResendResult> {
  const post: Post = (tx, verification) => postVerification(deps, tx, verification, client);
  const { step } = await renewVerification(deps, input, post);
  return { resend: toResend(step) };
}

/**
 * Sends one more email, climbs one step, and resets the attempts at the code. Returns the step, and the sign-up as it
 * was before. Throws as `resendVerification` does.
 */
export async function renewVerification(deps: Deps, { token }: TokenInput, post: Post) {
  return inTransaction(deps.db, async (tx) => {
    const now = deps.now();
    const signUp = requireOpen(await queries.lockSignUp(tx, hashCredential(token)), now);
    const step = nextResendStep(signUp, now);
    const code = generateCode();
    // The same link, or a new one if its secret is gone.
    const linkHash = deps.mailed.repeatLink("verifyLink", signUp.id, signUp.linkHash).hash;
    const isMailed = await post(tx, { ...signUp, linkHash, code });
    const hashOf = (each: string) => deps.mailed.hashCode(signUp.id, each);
    // If no code may be mailed to the address, the earlier code and link keep working, except a code that has used up
    // its attempts. The caller is not told.
    const kept = signUp.codeAttempts < CODE_ATTEMPTS ? {} : { codeHash: hashOf(NOBODYS_CODE) };
    const hashes = isMailed ? { codeHash: hashOf(code), linkHash } : kept;
    await queries.renewCode(tx, signUp.id, { ...hashes, ...step });
    return { before: signUp, step };
  });
}
