import { uuidv7 } from "uuidv7";
import { takeMailAllowance } from "../auth/mail-allowance.ts";
import { SIGN_UP_LIFETIME_SECONDS } from "../auth/contract.ts";
import { lockEmail } from "../auth/queries.ts";
import { createCredential, hashCredential } from "../secrets/credential.ts";
import { readMember } from "../member/member.ts";
import { createUnsubscribeCode, readUnsubscribeCode } from "../mailed-code/unsubscribe-code.ts";
import { nextResendStepFor, findMailed, toResend } from "../mailed-code/resend-ladder.ts";
import { generateCode, NOBODYS_CODE, usedUpCode, wrongCode } from "../mailed-code/verification-code.ts";
import { inTransaction } from "../db/transaction.ts";
import type { Deps } from "../deps.ts";
import { AppError } from "../errors.ts";
import type { Caller, Requester } from "../http/endpoint.ts";
import { LIMITS } from "../rate-limits/rules.ts";
import { recordEvent } from "../security-activity/service.ts";
import { tryToRequireFreshReads } from "../sessions/own-writes.ts";
import type { UnsubscribeInput } from "../mailed-code/contract.ts";
import type {
  CampaignMail,
  CampaignMailInput,
  SendCampaignEmailInput,
  SendCampaignEmailResult,
  VerifyCampaignEmailInput,
} from "./contract.ts";
import * as emails from "./emails.ts";
import * as queries from "./queries.ts";

const GONE = "This code has expired. Please ask for a new one.";
const USED = "This address is already confirmed.";

/**
 * Returns whether the member gets campaign emails, and at which address. Throws NOT_FOUND if there is no such member.
 */
export async function readCampaignMail({ db, now }: Pick<Deps, "db" | "now">, userId: string): Promise<CampaignMail> {
  const { campaignEmail: asked, campaignMail: subscribed, user } = await readMember(db, userId);
  const isOpen = asked && !asked.usedAt && asked.expiresAt > now();
  return { email: user.campaign_email, subscribed, pendingEmail: isOpen ? asked.email : null };
}

/**
 * Mails a code to an address, which gets the campaign emails once the member enters the code. Another request for the
 * same address climbs the resend ladder. Throws TOO_MANY_ATTEMPTS if it is too early for another email.
 */
export async function sendCampaignEmail(
  deps: Deps,
  { email }: SendCampaignEmailInput,
  { caller: { userId }, client }: Requester,
): Promise<SendCampaignEmailResult> {
  const now = deps.now();
  const { token, hash } = createCredential("campaignEmail");
  const step = await inTransaction(deps.db, async (tx) => {
    // Lock the member first: a member's first request has no row yet for which the next one could wait.
    await lockEmail(tx, userId);
    const pending = await queries.lockPending(tx, userId);
    const next = nextResendStepFor(pending, email, now);
    const id = uuidv7();
    const code = generateCode();
    const expiresAt = new Date(now.getTime() + SIGN_UP_LIFETIME_SECONDS * 1000);
    const isMailed = await takeMailAllowance({ db: tx, limits: deps.limits }, email, client);
    const unsubscribeCode = createUnsubscribeCode(deps, "campaignLink", userId);
    const content = { ...emails.campaignEmail(email, { code, unsubscribeCode }), matter: `campaign mail ${userId}` };
    if (isMailed) await deps.outbox.post(tx, content, expiresAt);
    const kept = isMailed ? undefined : findMailed(pending, email, now);
    const codeHash = deps.mailed.hashCode(id, isMailed ? code : NOBODYS_CODE);
    const asked = kept ?? { id, codeHash, expiresAt };
    await queries.savePending(tx, { userId, email, tokenHash: hash, ...asked, ...next });
    return next;
  });
  return { token, resend: toResend(step) };
}

/**
 * Makes an address the one for campaign emails. Throws VALIDATION_ERROR for a wrong code, TOO_MANY_ATTEMPTS after five,
 * EXPIRED and ALREADY_USED.
 */
export async function verifyCampaignEmail(deps: Deps, input: VerifyCampaignEmailInput, { caller, client }: Requester) {
  const { userId } = caller;
  await deps.limits.take(LIMITS.campaignCodeByAccount, userId);
  const named = { userId, tokenHash: hashCredential(input.token) };
  await checkCode(deps, named, input.verificationCode);
  const now = deps.now();
  const email = await inTransaction(deps.db, async (tx) => {
    await lockEmail(tx, userId);
    const used = await queries.usePending(tx, { ...named, now });
    if (!used) throw new AppError("ALREADY_USED", USED);
    await queries.saveEmail(tx, { userId, email: used.email, now });
    await recordEvent({ db: tx, now: deps.now }, { userId, kind: "campaign-email-verified", client });
    return used.email;
  });
  return { success: true, message: `Campaign emails go to ${email} from now on.` };
}

async function checkCode(deps: Deps, named: { userId: string; tokenHash: Buffer }, code: string): Promise<void> {
  const pending = await queries.countAttempt(deps.db, { ...named, now: deps.now() });
  if (!pending) return refuseAttempt(deps, named);
  if (deps.mailed.isCode(pending.id, code, pending.codeHash)) return;
  throw wrongCode(pending.codeAttempts);
}

async function refuseAttempt({ db, now: clock }: Deps, named: { userId: string; tokenHash: Buffer }): Promise<never> {
  const now = clock();
  const pending = await queries.findPending(db, named);
  if (!pending || pending.expiresAt <= now) throw new AppError("EXPIRED", GONE);
  if (pending.usedAt) throw new AppError("ALREADY_USED", USED);
  throw usedUpCode(pending, now);
}

/** Turns campaign emails on or off. */
export async function setCampaignMail(
  { db, now }: Pick<Deps, "db" | "now">,
  { subscribed }: CampaignMailInput,
  { userId }: Pick<Caller, "userId">,
) {
  await queries.saveSubscription(db, { userId, subscribed, now: now() });
  return { success: true, message: subscribed ? "Campaign emails are on again." : "Campaign emails are off." };
}

/** Turns campaign emails off for the member whose code this is. Throws NOT_FOUND if the code is nobody's. */
export async function unsubscribe(
  deps: Pick<Deps, "db" | "log" | "mailed" | "now" | "replica">,
  { code }: UnsubscribeInput,
) {
  const userId = await readUnsubscribeCode(deps, "campaignLink", code);
  const result = await setCampaignMail(deps, { subscribed: false }, { userId });
  // The call has no session, but the member may be signed in.
  await tryToRequireFreshReads(deps, userId);
  return result;
}
