import { inTransaction } from "../../db/transaction.ts";
import type { Client } from "../../http/client.ts";
import type { Requester } from "../../http/endpoint.ts";
import { readUser } from "../../profile/service.ts";
import { LIMITS } from "../../rate-limits/rules.ts";
import { CHANGED, finishChange, wrongCurrentPassword } from "../password/change-password.ts";
import { refuseGuessable } from "../../password-rules/refuse-guessable.ts";
import type { ChangePasswordInput, LoginInput, LoginResult } from "../contract.ts";
import { findPassword } from "../queries.ts";
import { beginAttempt } from "../sign-in/sign-in.ts";
import {
  equalTime,
  hasCode,
  openClient,
  refuseLongPassword,
  requireSession,
  setPassword,
  type SupabaseDeps,
} from "./supabase-client.ts";
import { admit } from "./supabase-members.ts";
import { endProviderSession, endRefused, saveSession } from "./supabase-sessions.ts";

/** Error codes for a wrong password, and for cases that get the same response. */
const WRONG_CREDENTIALS = ["invalid_credentials", "email_not_confirmed", "user_banned", "validation_failed"] as const;

/**
 * Does what the embedded login does (../service.ts). Creates an account here for somebody who has one at Supabase only.
 */
export async function login(deps: SupabaseDeps, input: LoginInput, client: Client): Promise<LoginResult> {
  const { email, password } = input;
  const attempt = await beginAttempt(deps, input, client);
  const asked = openClient(deps.supabase).signInWithPassword({ email, password });
  const end = equalTime(deps, asked);
  const answer = await asked;
  if (hasCode(answer, WRONG_CREDENTIALS)) {
    await end;
    return attempt.fail();
  }
  const session = requireSession(deps, answer);
  await attempt.succeed();
  const { userId, accessToken } = await admit(deps, { session, client, byPassword: true });
  return { access_token: accessToken, user: await readUser(deps, userId) };
}

/**
 * Does what the embedded provider does (../password/change-password.ts), even if the session has ended meanwhile:
 * Supabase has changed the password by then.
 */
export async function changePassword(
  deps: SupabaseDeps,
  { currentPassword, password }: ChangePasswordInput,
  { caller, client }: Requester,
) {
  const { userId, sessionId } = caller;
  refuseLongPassword(password);
  await deps.limits.take(LIMITS.changePasswordByAccount, userId);
  const signedIn = await signInAgain(deps, userId, currentPassword);
  if (!signedIn) throw wrongCurrentPassword();
  const { session, supabase } = signedIn;
  try {
    refuseGuessable(password, signedIn.email);
    await setPassword(deps, supabase, password);
  } catch (error) {
    // The next attempt signs in again.
    return endRefused(deps, session, error);
  }

  await inTransaction(deps.db, async (tx) => {
    await finishChange(deps, tx, { userId, sessionId, client });
    // A change ends every other session at Supabase, including the one behind this session. The new one takes its
    // place.
    if (sessionId) await saveSession(tx, deps, { userId, sessionId }, session);
  });
  return CHANGED;
}

/** Does what the embedded provider does (../password/change-password.ts): signs in, and ends that session at once. */
export async function provePassword(deps: SupabaseDeps, userId: string, password: string): Promise<boolean> {
  const signedIn = await signInAgain(deps, userId, password);
  if (signedIn) await endProviderSession(deps, signedIn.session);
  return signedIn !== null;
}

/**
 * Opens a session for a member at Supabase with their password. Returns null if the password is wrong, or opens
 * somebody else's account.
 */
async function signInAgain(deps: SupabaseDeps, userId: string, password: string) {
  const member = await findPassword(deps.db, userId);
  if (!member) return null;
  const { email, providerSubject } = member;
  const supabase = openClient(deps.supabase);
  const answer = await supabase.signInWithPassword({ email, password });
  if (hasCode(answer, WRONG_CREDENTIALS)) return null;
  const session = requireSession(deps, answer);
  if (providerSubject === null || session.user.id === providerSubject) return { email, session, supabase };
  // The member's address has changed at Supabase, which we do not know yet, and somebody else has it now.
  await endProviderSession(deps, session);
  return null;
}
