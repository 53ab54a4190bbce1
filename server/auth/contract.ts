import * as z from "zod";
import { EMAIL_FORM, endpoint, GenericResult } from "../http/contract.ts";
import { User } from "../profile/contract.ts";
import { ReferralCode } from "../referrals/contract.ts";
import { LadderDuration, LadderTime, PasswordResetState, Resend, VerificationCode } from "../mailed-code/contract.ts";
import { PASSWORD_MAX_LENGTH, PASSWORD_MIN_LENGTH } from "../password-rules/contract.ts";

/** The lifetime of an unverified sign-up, with its code and its link: one day. */
export const SIGN_UP_LIFETIME_SECONDS = 24 * 60 * 60;
/** The lifetime of the mailed link of a password reset. */
export const RESET_LIFETIME_SECONDS = 60 * 60;
/** The lifetime of the recovery session that the link opens: long enough to think of a password. */
export const RECOVERY_LIFETIME_SECONDS = 15 * 60;

export const Email = z
  .string("Enter your email.")
  .trim()
  // For the API document, which describes only the input of a pipe.
  .meta({ format: "email", maxLength: 254 })
  .pipe(z.email({ ...EMAIL_FORM, error: "Enter a valid email." }).max(254, "Enter a valid email."));
const Password = z
  .string("Enter your password.")
  // Both limits count code points: an emoji is one character, not two.
  .min(PASSWORD_MIN_LENGTH, "Use at least 8 characters.")
  .max(PASSWORD_MAX_LENGTH, "Use at most 256 characters.");
const TurnstileToken = z.string("The bot check is missing.").min(1, "The bot check is missing.").max(4096);
/** The form of a token. A string that was never issued gets the same response as an expired token. */
export const Token = z.string("The token is missing.").min(1, "The token is missing.").max(256, "That is not a token.");

export const LoginInput = z.object({ email: Email, password: Password, turnstileToken: TurnstileToken });
export type LoginInput = z.infer<typeof LoginInput>;

export const LoginResult = z.object({ access_token: z.string(), user: User }).meta({ id: "LoginResult" });
export type LoginResult = z.infer<typeof LoginResult>;

/** Where the resend ladder of a password reset stands. Kept by the client. Times in milliseconds. */
export const PasswordResetTimeout = z.object({
  email: z.string(),
  state: PasswordResetState,
  timestamp: LadderTime,
  duration: LadderDuration,
});
export type PasswordResetTimeout = z.infer<typeof PasswordResetTimeout>;

export const SignUpInput = z.object({
  email: Email,
  password: Password,
  /** The inviter's personal code, with its exact number of characters. Left out if nobody invited them. */
  referralCode: ReferralCode.optional(),
  turnstileToken: TurnstileToken,
});
export type SignUpInput = z.infer<typeof SignUpInput>;

export const SignUpResult = z.object({ signupToken: z.string(), resend: Resend }).meta({ id: "SignUpResult" });
export type SignUpResult = z.infer<typeof SignUpResult>;

/**
 * Either the signupToken with the six digits from the email, or only the token of the emailed link (its `code`), which
 * also works in another browser.
 */
export const VerifyInput = z.object({
  token: Token,
  verificationCode: VerificationCode.optional(),
});
export type VerifyInput = z.infer<typeof VerifyInput>;

export const VerifyResult = z.object({ accessToken: z.string(), user: User }).meta({ id: "VerifyResult" });
export type VerifyResult = z.infer<typeof VerifyResult>;

export const TokenInput = z.object({ token: Token });
export type TokenInput = z.infer<typeof TokenInput>;

export const ResendResult = z.object({ resend: Resend }).meta({ id: "ResendResult" });
export type ResendResult = z.infer<typeof ResendResult>;

export const ForgotPasswordInput = z.object({ email: Email, turnstileToken: TurnstileToken });
export type ForgotPasswordInput = z.infer<typeof ForgotPasswordInput>;

export const ForgotPasswordResult = z
  .object({ resetToken: z.string(), resend: Resend })
  .meta({ id: "ForgotPasswordResult" });
export type ForgotPasswordResult = z.infer<typeof ForgotPasswordResult>;

export const RecoveryResult = z
  .object({
    recoveryToken: z.string(),
    /** The address that the link was mailed to, for password managers. Another backend may leave it out. */
    email: z.string().optional(),
  })
  .meta({ id: "RecoveryResult" });
export type RecoveryResult = z.infer<typeof RecoveryResult>;

export const ResetPasswordInput = z.object({ token: Token, password: Password });
export type ResetPasswordInput = z.infer<typeof ResetPasswordInput>;

export const ChangePasswordInput = z.object({
  currentPassword: z
    .string("Enter your current password.")
    .min(1, "Enter your current password.")
    .max(1024, "That is not your current password."),
  password: Password,
});
export type ChangePasswordInput = z.infer<typeof ChangePasswordInput>;

const CheckUserInput = z.object({ email: Email });
const CheckUserResult = z.object({ success: z.literal(true) }).meta({ id: "CheckUserResult" });

/** With a site key, Turnstile makes the token in the browser, and `turnstileToken` is empty. */
export const BotCheckToken = z
  .object({ turnstileToken: z.string(), siteKey: z.string().optional() })
  .meta({ id: "BotCheckToken" });
export type BotCheckToken = z.infer<typeof BotCheckToken>;

export const login = endpoint("POST /api/login", {
  access: "anyone",
  summary: "Sign in with email and password",
  body: LoginInput,
  response: LoginResult,
  fails: ["INVALID_CREDENTIALS", "FORBIDDEN", "BOT_CHECK_FAILED", "TOO_MANY_ATTEMPTS", "UNAVAILABLE"],
});

export const issueBotCheck = endpoint("GET /api/auth/bot-check", {
  access: "anyone",
  summary: "A single-use bot-check token for API clients",
  response: BotCheckToken,
});

export const signUp = endpoint("POST /api/auth/signup", {
  access: "anyone",
  summary: "Sign up: sends an email with a code and a link; the answer is the same for an address that has an account",
  body: SignUpInput,
  response: SignUpResult,
  fails: ["BOT_CHECK_FAILED", "TOO_MANY_ATTEMPTS", "UNAVAILABLE"],
});

export const verify = endpoint("POST /api/auth/verify", {
  access: "anyone",
  summary: "Become a member with the emailed code, or with the token of the emailed link",
  body: VerifyInput,
  response: VerifyResult,
  fails: ["EXPIRED", "ALREADY_USED", "TOO_MANY_ATTEMPTS", "CONFLICT", "REQUIREMENTS_NOT_MET", "FORBIDDEN"],
});

export const resendVerification = endpoint("POST /api/auth/resend-verification", {
  access: "anyone",
  summary: "Send the verification email again, with a new code and the same link",
  body: TokenInput,
  response: ResendResult,
  fails: ["EXPIRED", "ALREADY_USED", "TOO_MANY_ATTEMPTS"],
});

export const forgotPassword = endpoint("POST /api/auth/forgot-password", {
  access: "anyone",
  summary: "Send a password reset email; the answer is the same for every address",
  body: ForgotPasswordInput,
  response: ForgotPasswordResult,
  fails: ["BOT_CHECK_FAILED", "TOO_MANY_ATTEMPTS"],
});

export const resendPasswordReset = endpoint("POST /api/auth/resend-password-reset", {
  access: "anyone",
  summary: "Send the password reset email again",
  body: TokenInput,
  response: ResendResult,
  fails: ["EXPIRED", "TOO_MANY_ATTEMPTS"],
});

export const openRecovery = endpoint("POST /api/auth/open-recovery", {
  access: "anyone",
  summary: "Exchange the token of the emailed link, once, for a recovery session that can only set a password",
  body: TokenInput,
  response: RecoveryResult,
  fails: ["EXPIRED", "ALREADY_USED", "TOO_MANY_ATTEMPTS", "FORBIDDEN"],
});

export const resetPassword = endpoint("POST /api/auth/reset-password", {
  access: "anyone",
  summary: "Set a new password in a recovery session; ends every session of the member",
  body: ResetPasswordInput,
  response: GenericResult,
  fails: ["EXPIRED", "ALREADY_USED", "TOO_MANY_ATTEMPTS", "UNAVAILABLE"],
});

export const checkUser = endpoint("POST /api/auth/check-user", {
  access: "anyone",
  summary: "Gives the same answer for every address, so that nobody learns who has an account",
  body: CheckUserInput,
  response: CheckUserResult,
  fails: ["TOO_MANY_ATTEMPTS"],
});

export const changePassword = endpoint("POST /api/auth/change-password", {
  summary: "Change the password; ends every other session of the member",
  body: ChangePasswordInput,
  response: GenericResult,
  fails: ["TOO_MANY_ATTEMPTS", "UNAVAILABLE"],
});
