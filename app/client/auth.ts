import {
  forgotPassword,
  issueBotCheck,
  login,
  openRecovery,
  resendPasswordReset,
  resendVerification,
  resetPassword,
  signUp,
  verify,
  type BotCheckToken,
  type ForgotPasswordInput,
  type LoginInput,
  type ResetPasswordInput,
  type SignUpInput,
} from "../../server/auth/contract.ts";
import type { User } from "../../server/profile/contract.ts";
import type * as z from "zod";
import { requireOffered, type Caller, type OptionalCaller } from "../api/call.ts";
import { textId } from "./loose-responses.ts";
import { WRITE_RETRIES } from "./write-retries.ts";

/** Whether that is enough is up to the backend. */
const UNCHECKED: BotCheckToken = { turnstileToken: "not-checked" };

/**
 * Creates the calls that turn a visitor into a signed-in member. A backend may handle all but the sign-in itself
 * elsewhere: those calls then reject with NOT_OFFERED. A call that spends a token or a password, or sends an email, is
 * never sent twice, because the first one may have arrived.
 */
export function createAuthClient(call: Caller, callIfOffered: OptionalCaller, siteKey: string | undefined) {
  return {
    /** Rejects with INVALID_CREDENTIALS, BOT_CHECK_FAILED, TOO_MANY_ATTEMPTS or UNAVAILABLE. */
    login: async (input: LoginInput) =>
      withTextId(await call(login, { body: input }, { retries: WRITE_RETRIES.login })),
    /**
     * If the backend issues no check, returns Turnstile with our own site key, or a token that says that there was no
     * check.
     */
    issueBotCheck: async (): Promise<BotCheckToken> =>
      (await callIfOffered(issueBotCheck, {})) ?? (siteKey ? { turnstileToken: "", siteKey } : UNCHECKED),
    signUp: (input: SignUpInput) => requireOffered(callIfOffered(signUp, { body: input })),
    /** Takes the token of a mailed link alone, or the sign-up's token with the mailed code. */
    verify: async (input: z.input<typeof verify.body>) =>
      withTextId(await requireOffered(callIfOffered(verify, { body: input }))),
    resendVerification: (token: string) => requireOffered(callIfOffered(resendVerification, { body: { token } })),
    forgotPassword: (input: ForgotPasswordInput) => requireOffered(callIfOffered(forgotPassword, { body: input })),
    resendPasswordReset: (token: string) => requireOffered(callIfOffered(resendPasswordReset, { body: { token } })),
    openRecovery: (token: string) => requireOffered(callIfOffered(openRecovery, { body: { token } })),
    resetPassword: (input: ResetPasswordInput) => requireOffered(callIfOffered(resetPassword, { body: input })),
  };
}

/** Turns the id of the user who has signed in into text. */
const withTextId = <Answer extends { user: User }>(answer: Answer): Answer => ({
  ...answer,
  user: textId.one(answer.user, "id"),
});
