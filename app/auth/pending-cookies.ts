import * as z from "zod";
import {
  PasswordResetTimeout,
  RECOVERY_LIFETIME_SECONDS,
  RESET_LIFETIME_SECONDS,
  SIGN_UP_LIFETIME_SECONDS,
  TokenInput,
} from "../../server/auth/contract.ts";
import { originContext, type PageContext } from "../page/context.ts";
import { createCredentialCookie } from "../cookies/credential-cookie.ts";
import { Resend } from "../../server/mailed-code/contract.ts";

const { token } = TokenInput.shape;
const SignUpWaiting = z.object({ signupToken: token, email: z.string(), resend: Resend });
const Recovery = TokenInput.extend({ email: z.string().optional() });
const ResetWaiting = PasswordResetTimeout.extend({ resetToken: token });

/**
 * Opens the cookies for what is not completed yet, from one page to the next: a sign-up (the specification's
 * signupToken), a password reset (its passwordResetTimeout), the token of a mailed link on its way from the address bar
 * to a button, and a recovery session. Each lasts as long as what it holds.
 */
export function openPendingCookies(context: PageContext) {
  const publicUrl = context.get(originContext);
  const open = <Shape extends z.ZodType>(name: string, maxAge: number, schema: Shape) =>
    createCredentialCookie({ name: `nodebeat_${name}`, maxAge, publicUrl, schema });
  return {
    signUp: open("signup", SIGN_UP_LIFETIME_SECONDS, SignUpWaiting),
    verifyLink: open("verify_link", SIGN_UP_LIFETIME_SECONDS, TokenInput),
    reset: open("reset", RESET_LIFETIME_SECONDS, ResetWaiting),
    resetLink: open("reset_link", RESET_LIFETIME_SECONDS, TokenInput),
    recovery: open("recovery", RECOVERY_LIFETIME_SECONDS, Recovery),
  };
}

type PendingCookies = ReturnType<typeof openPendingCookies>;

/** Returns the headers that remove these cookies, and that set the given ones. */
export async function clearPending(
  cookies: PendingCookies,
  names: (keyof PendingCookies)[],
  others: string[] = [],
): Promise<[string, string][]> {
  const removed = await Promise.all(names.map((name) => cookies[name].destroy()));
  return [...others, ...removed].map((cookie) => ["Set-Cookie", cookie]);
}

/**
 * Returns the same for all cookies, for when somebody signs in or out: the next user of the browser may be somebody
 * else.
 */
export const clearAllPending = (cookies: PendingCookies, others: string[] = []) =>
  clearPending(cookies, ["signUp", "verifyLink", "reset", "resetLink", "recovery"], others);

/** Reads the token in the address of a mailed link. Returns null if it cannot be one. */
export const readLinkToken = (value: string | null) => TokenInput.safeParse({ token: value }).data ?? null;
