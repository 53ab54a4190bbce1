import { uuidv7 } from "uuidv7";
import type { AuthError } from "@supabase/auth-js";
import { inTransaction } from "../../db/transaction.ts";
import { AppError } from "../../errors.ts";
import { limitKeyOf, type Client } from "../../http/client.ts";
import { LIMITS } from "../../rate-limits/rules.ts";
import { takeMailAllowance } from "../mail-allowance.ts";
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
import { undoRecoveryUse, undoRenewal, insertReset } from "../reset/password-reset.queries.ts";
import {
  checkRecovery,
  finishReset,
  saveReset,
  LINK_GONE,
  RECOVERY_GONE,
  renewReset,
  RESET,
  consumeRecovery,
} from "../reset/password-reset.ts";
import { firstResendStep, toResend } from "../../mailed-code/resend-ladder.ts";
import { syncAddress } from "./supabase-address.ts";
import {
  toAppError,
  hasCode,
  runInEqualTime,
  isEnded,
  isSpent,
  openClient,
  refuseLongPassword,
  requireSession,
  setPassword,
  type SupabaseDeps,
} from "./supabase-client.ts";
import { findOrEnrol } from "./supabase-members.ts";
import { endRefused, unsealSession, sealSession } from "./supabase-sessions.ts";

/**
 * Does what the embedded provider does (../reset/password-reset.ts). Supabase mails the link, but mails nothing to an
 * address that it does not know.
 */
export async function forgotPassword(
  deps: SupabaseDeps,
  input: ForgotPasswordInput,
  client: Client,
): Promise<ForgotPasswordResult> {
  let isMailed = false;
  const result = await saveReset(deps, input, client, async (tx, { email }) => {
    isMailed = await takeMailAllowance({ db: tx, limits: deps.limits }, email, client);
    return isMailed;
  });
  await runInEqualTime(deps, async () => {
    if (isMailed) await mailLink(deps, input.email);
  });
  return result;
}

async function mailLink(deps: SupabaseDeps, email: string): Promise<void> {
  const answer: { error: AuthError | null } = await openClient(deps.supabase).resetPasswordForEmail(email);
  if (!answer.error) return;
  // Supabase counts these by address: passing this on would reveal that the address is known.
  if (!hasCode(answer, ["over_email_send_rate_limit"])) throw toAppError(deps, answer.error);
  deps.log.warn({ code: answer.error.code }, "Supabase has not sent a mail");
}

/**
 * Does what the embedded provider does (../reset/password-reset.ts), but mails a new link. Climbs the step before the
 * request to Supabase: of several simultaneous calls, only one then mails, and no later email replaces its link.
 */
export async function resendPasswordReset(
  deps: SupabaseDeps,
  input: TokenInput,
  client: Client,
): Promise<ResendResult> {
  let isMailed = false;
  const { before, step } = await renewReset(deps, input, async (tx, { email }) => {
    isMailed = await takeMailAllowance({ db: tx, limits: deps.limits }, email, client);
    return isMailed;
  });
  await runInEqualTime(deps, async () => {
    if (isMailed) await mailLink(deps, before.email);
  }).catch(async (error: unknown) => {
    await undoRenewal(deps.db, before, step.mailedAt);
    throw error;
  });
  return { resend: toResend(step) };
}

/** Does what the embedded provider does (../reset/password-reset.ts). The token of the link is Supabase's. */
export async function openRecovery(deps: SupabaseDeps, { token }: TokenInput, client: Client): Promise<RecoveryResult> {
  await deps.limits.take(LIMITS.mailedTokensByClient, limitKeyOf(client.address));
  const answer = await openClient(deps.supabase).verifyOtp({ token_hash: token, type: "recovery" });
  if (isSpent(answer)) throw new AppError("EXPIRED", LINK_GONE);
  const session = requireSession(deps, answer);
  await syncAddress(deps, session.user);

  const now = deps.now();
  const id = uuidv7();
  const recovery = createCredential("recovery");
  const email = await inTransaction(deps.db, async (tx) => {
    const { userId, email } = await findOrEnrol(deps, tx, { user: session.user, client });
    await insertReset(tx, {
      id,
      userId,
      email,
      ...firstResendStep(now),
      // Nobody holds the token that could mail this reset again.
      tokenHash: createCredential("reset").hash,
      linkHash: hashCredential(token),
      expiresAt: after(now, RESET_LIFETIME_SECONDS),
      recoveryHash: recovery.hash,
      recoveryExpiresAt: after(now, RECOVERY_LIFETIME_SECONDS),
      providerSession: sealSession(deps.supabase.seal, id, session),
    });
    return email;
  }).catch((error: unknown) => endRefused(deps, session, error));
  return { recoveryToken: recovery.token, email };
}

const after = (now: Date, seconds: number) => new Date(now.getTime() + seconds * 1000);

/**
 * Does what the embedded provider does (../reset/password-reset.ts), in the recovery session at Supabase. Then ends all
 * of the member's sessions there.
 */
export async function resetPassword(deps: SupabaseDeps, input: ResetPasswordInput, client: Client) {
  refuseLongPassword(input.password);
  const recovery = await checkRecovery(deps, input, client);
  const stored = unsealSession(deps.supabase.seal, recovery.id, recovery.providerSession);
  if (!stored) throw new AppError("EXPIRED", RECOVERY_GONE);
  const supabase = openClient(deps.supabase);
  const resumed = await supabase.setSession(stored);
  if (isEnded(resumed)) throw new AppError("EXPIRED", RECOVERY_GONE);
  requireSession(deps, resumed);
  // Use up the recovery before the request to Supabase: of two simultaneous calls, the refused one has then changed
  // nothing.
  const usedAt = deps.now();
  await consumeRecovery(deps.db, { id: recovery.id, now: usedAt });
  await setPassword(deps, supabase, input.password, () => undoRecoveryUse(deps.db, { id: recovery.id, usedAt }));
  await inTransaction(deps.db, (tx) => finishReset(deps, tx, { ...recovery, client }));
  const { error } = await supabase.signOut({ scope: "global" });
  if (error) deps.log.warn({ err: error }, "the sessions at Supabase could not be ended");
  return RESET;
}
