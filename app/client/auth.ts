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
import { orRefuse, type Caller, type OptionalCaller } from "../api/call.ts";
import { textId } from "./loose-answers.ts";
import { WRITE_RETRIES } from "./write-retries.ts";

/** Whether that is enough is the backend's business. */
const UNCHECKED: BotCheckToken = { turnstileToken: "not-checked" };

/**
 * Everything between a stranger and a signed-in member. All but the sign-in itself a backend may do elsewhere: those
 * calls reject with NOT_OFFERED then. What spends a token or a password, or sends a mail, is never sent twice: the
 * first may have arrived.
 */
export function createAuthClient(call: Caller, callIfOffered: OptionalCaller, siteKey: string | undefined) {
  return {
    /** Rejects with INVALID_CREDENTIALS, BOT_CHECK_FAILED, TOO_MANY_ATTEMPTS or UNAVAILABLE. */
    login: async (input: LoginInput) =>
      withTextId(await call(login, { body: input }, { retries: WRITE_RETRIES.login })),
    /**
     * Where the backend hands out no check: Turnstile by our own site key, or a token that says that there was none.
     */
    issueBotCheck: async (): Promise<BotCheckToken> =>
      (await callIfOffered(issueBotCheck, {})) ?? (siteKey ? { turnstileToken: "", siteKey } : UNCHECKED),
    signUp: (input: SignUpInput) => orRefuse(callIfOffered(signUp, { body: input })),
    /** With the token of a mailed link alone, or with the sign-up's token and the mailed code. */
    verify: async (input: z.input<typeof verify.body>) =>
      withTextId(await orRefuse(callIfOffered(verify, { body: input }))),
    resendVerification: (token: string) => orRefuse(callIfOffered(resendVerification, { body: { token } })),
    forgotPassword: (input: ForgotPasswordInput) => orRefuse(callIfOffered(forgotPassword, { body: input })),
    resendPasswordReset: (token: string) => orRefuse(callIfOffered(resendPasswordReset, { body: { token } })),
    openRecovery: (token: string) => orRefuse(callIfOffered(openRecovery, { body: { token } })),
    resetPassword: (input: ResetPasswordInput) => orRefuse(callIfOffered(resetPassword, { body: input })),
  };
}

/** An answer that says who has signed in. */
const withTextId = <Answer extends { user: User }>(answer: Answer): Answer => ({
  ...answer,
  user: textId.one(answer.user, "id"),
});
