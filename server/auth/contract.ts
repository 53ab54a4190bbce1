import * as z from "zod";
import { endpoint, GenericResult } from "../http/contract.ts";
import { User } from "../profile/contract.ts";

export const PASSWORD_MIN_LENGTH = 8;
/** Long enough for any passphrase, short enough that hashing one costs no more than usual. */
export const PASSWORD_MAX_LENGTH = 256;

/** A session ends after thirty days, however much it is used. */
export const SESSION_LIFETIME_SECONDS = 30 * 24 * 60 * 60;

export const LoginInput = z.object({
  email: z.string("Enter your email.").trim().pipe(z.email("Enter a valid email.").max(254, "Enter a valid email.")),
  password: z
    .string("Enter your password.")
    .min(PASSWORD_MIN_LENGTH, "Use at least 8 characters.")
    .max(PASSWORD_MAX_LENGTH, "Use at most 256 characters."),
  turnstileToken: z.string("The bot check is missing.").min(1, "The bot check is missing.").max(4096),
});
export type LoginInput = z.infer<typeof LoginInput>;

export const LoginResult = z.object({ access_token: z.string(), user: User }).meta({ id: "LoginResult" });
export type LoginResult = z.infer<typeof LoginResult>;

/** The token bundle of a verification: what is sent, and what comes back. */
export const AuthTokens = z.object({
  token: z.string(),
  verificationCode: z.string(),
  accessToken: z.string(),
});
export type AuthTokens = z.infer<typeof AuthTokens>;

export const PasswordResetState = z.enum(["NONE", "INITIAL", "FIRST_RESEND", "SECOND_RESEND", "MAX_ATTEMPTS"]);
export type PasswordResetState = z.infer<typeof PasswordResetState>;

/** Client-kept: where the resend ladder of a password reset stands. Times in milliseconds. */
export const PasswordResetTimeout = z.object({
  email: z.string(),
  state: PasswordResetState,
  timestamp: z.number(),
  duration: z.number(),
});
export type PasswordResetTimeout = z.infer<typeof PasswordResetTimeout>;

export const BotCheckToken = z.object({ turnstileToken: z.string() }).meta({ id: "BotCheckToken" });

export const login = endpoint({
  method: "POST",
  path: "/api/login",
  service: "auth",
  access: "anyone",
  summary: "Sign in with email and password",
  body: LoginInput,
  response: LoginResult,
  fails: ["INVALID_CREDENTIALS", "BOT_CHECK_FAILED", "UNAVAILABLE"],
});

export const logout = endpoint({
  method: "POST",
  path: "/api/auth/logout",
  service: "auth",
  access: "member",
  summary: "End the session of the bearer token",
  response: GenericResult,
});

export const issueBotCheck = endpoint({
  method: "GET",
  path: "/api/auth/bot-check",
  service: "auth",
  access: "anyone",
  summary: "A single-use bot-check token for API clients",
  response: BotCheckToken,
});
