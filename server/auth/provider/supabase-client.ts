import { setTimeout as wait } from "node:timers/promises";
import { GoTrueClient, isAuthSessionMissingError, type AuthError, type Session } from "@supabase/auth-js";
import type { Deps } from "../../deps.ts";
import * as z from "zod";
import { AppError } from "../../errors.ts";
import { readText } from "../../http/read-text.ts";
import { guessable } from "../../password-rules/refuse-guessable.ts";
import type { Seal } from "../../secrets/seal.ts";

/** The purpose for which a provider's sessions are sealed. */
export const PROVIDER_SESSIONS = "provider sessions";

export type Supabase = {
  /** For example https://project.supabase.co */
  url: string;
  anonKey: string;
  /** Encrypts the Supabase sessions that are kept. */
  seal: Seal;
  /**
   * Waits for as long as every response takes whose timing could reveal whether an address is known. One second by
   * default.
   */
  equalTime?: (work: Promise<unknown>) => Promise<void>;
};

export type SupabaseDeps = Deps & { supabase: Supabase };

const TIME_OUT_MS = 8000;
const EQUAL_TIME_MS = 1000;
const RETRY_AFTER = 5;

/** Opens a client for one operation. It keeps nothing, renews no session and reads nothing from the URL. */
export function openClient({ url, anonKey }: Supabase): GoTrueClient {
  return new GoTrueClient({
    url: addressOf(url),
    headers: { apikey: anonKey, Authorization: `Bearer ${anonKey}` },
    persistSession: false,
    autoRefreshToken: false,
    detectSessionInUrl: false,
    fetch: fetchLimited,
  });
}

const addressOf = (url: string) => `${url.replace(/\/$/, "")}/auth/v1`;

/** Requests the project's public settings. Rejects as `fetchLimited` does. */
export const fetchSettings = async ({ url, anonKey }: Supabase): Promise<unknown> =>
  (await fetchLimited(`${addressOf(url)}/settings`, { headers: { apikey: anonKey } })).json();

const Text = z.string().min(1).max(10_000);

/** The longest token lifetime that a project can set is a week. */
const MOST_SECONDS = 604_800;

/** The parts of a response that we use: a session, a user, or neither. */
const ProviderResponse = z.looseObject({
  id: z.guid().optional(),
  access_token: Text.optional(),
  refresh_token: Text.optional(),
  expires_in: z.int().min(1).max(MOST_SECONDS).optional(),
  user: z
    .looseObject({
      id: z.guid(),
      // Empty for a user who signs in by phone.
      email: z
        .string()
        .max(254)
        .regex(/^\P{Cc}*$/u)
        .nullish(),
      email_confirmed_at: z.string().nullish(),
    })
    .optional(),
});

/** How large a response may be, in bytes. A session takes a few thousand. */
const MAX_BYTES = 1024 * 1024;

/**
 * Makes a request. The library trusts any response, so this rejects a response of another form or without end, as if
 * there were none.
 */
const fetchLimited: typeof fetch = async (input, init) => {
  const result = await fetch(input, { ...init, redirect: "error", signal: AbortSignal.timeout(TIME_OUT_MS) });
  const { body, headers, ok, status } = result;
  if (!body) return result;
  const text = await readText(result, MAX_BYTES);
  if (ok) ProviderResponse.parse(JSON.parse(text));
  return new Response(text, { status, headers });
};

type AuthResult = { error: AuthError | null };

type LogDeps = Pick<Deps, "log">;

/** Returns the session of a response. Throws TOO_MANY_ATTEMPTS or UNAVAILABLE if there is none. */
export function requireSession(
  deps: LogDeps,
  { data, error }: AuthResult & { data: { session: Session | null } },
): Session {
  if (error) throw toAppError(deps, error);
  if (data.session?.user) return data.session;
  throw new AppError("UNAVAILABLE", "The account could not be opened.", { retryAfter: RETRY_AFTER });
}

/**
 * Converts an error that the caller does not handle: TOO_MANY_ATTEMPTS if too much was asked, UNAVAILABLE if Supabase
 * does not work.
 */
export function toAppError(deps: LogDeps, error: AuthError): AppError {
  if (error.status === 429) {
    const message = "Too many attempts. Please try again in a minute.";
    return new AppError("TOO_MANY_ATTEMPTS", message, { retryAfter: 60, cause: error });
  }
  return unavailable(deps, error);
}

/**
 * Logs for the operator why Supabase does not work, and returns the error for the caller. Nobody can sign in meanwhile.
 */
export function unavailable({ log }: LogDeps, cause: unknown): AppError {
  log.error({ err: cause }, "Supabase does not work");
  const message = "This does not work right now. Please try again in a moment.";
  return new AppError("UNAVAILABLE", message, { retryAfter: RETRY_AFTER, cause });
}

export const hasCode = ({ error }: AuthResult, codes: readonly NonNullable<AuthError["code"]>[]): boolean =>
  error?.code !== undefined && codes.includes(error.code);

/** Whether a code or link is wrong, used or too old. Supabase does not tell these apart. */
export const isSpent = (result: AuthResult): boolean => hasCode(result, ["otp_expired"]);

/** Whether Supabase has definitely ended a session. A refused key or an outage does not end one. */
export const isEnded = (result: AuthResult): boolean =>
  isAuthSessionMissingError(result.error) ||
  hasCode(result, [
    "refresh_token_not_found",
    "refresh_token_already_used",
    "session_not_found",
    "session_expired",
    "user_not_found",
    "user_banned",
  ]);

/**
 * Whether Supabase itself has refused, so that the request has no effect. After an outage, or an error from a gateway,
 * the request may still take effect.
 */
const isRefused = ({ error }: AuthResult): boolean =>
  error?.status !== undefined && error.status >= 400 && error.status <= 500;

/** How many bytes of a password bcrypt reads. Supabase hashes with bcrypt. */
const MAX_PASSWORD_BYTES = 72;

/** Throws VALIDATION_ERROR for a new password that is too long for Supabase, which has no error code for that. */
export function refuseLongPassword(password: string): void {
  if (Buffer.byteLength(password) <= MAX_PASSWORD_BYTES) return;
  const message = `Use at most ${MAX_PASSWORD_BYTES} characters. Accented letters and emoji count as more than one.`;
  throw new AppError("VALIDATION_ERROR", message, { fields: { password: [message] } });
}

/** Throws VALIDATION_ERROR for a new password that Supabase finds too weak. */
export function refuseWeakPassword(result: AuthResult): void {
  if (hasCode(result, ["weak_password"])) throw guessable(result.error);
}

/**
 * Sets a password. Calls `undo` if Supabase itself refuses. Throws VALIDATION_ERROR for a password that Supabase finds
 * too weak, TOO_MANY_ATTEMPTS and UNAVAILABLE.
 */
export async function setPassword(
  deps: LogDeps,
  supabase: GoTrueClient,
  password: string,
  undo: () => Promise<void> = async () => {},
): Promise<void> {
  const changed = await supabase.updateUser({ password });
  // A member who chooses their current password already has what they want.
  if (!changed.error || hasCode(changed, ["same_password"])) return;
  if (isRefused(changed)) await undo();
  refuseWeakPassword(changed);
  throw toAppError(deps, changed.error);
}

/**
 * Waits until a fixed time has passed. Supabase takes longer if it knows an address: it sends an email or compares a
 * hash. A response whose timing could reveal that is sent when this time is over, neither sooner nor later.
 */
export const equalTime = ({ supabase }: SupabaseDeps, work: Promise<unknown>): Promise<void> =>
  supabase.equalTime?.(work) ?? wait(EQUAL_TIME_MS, undefined, { ref: false });

/**
 * Does the work, and resolves after the same time as for any other address. Work that takes longer continues in the
 * background. Only a failure rejects at once, so what `work` throws must not depend on the address.
 */
export async function runInEqualTime(deps: SupabaseDeps, work: () => Promise<void>): Promise<void> {
  let isAnswered = false;
  // Runs the work in its own microtask, so that the timer starts first.
  const done = Promise.resolve()
    .then(work)
    .catch((error: unknown) => {
      if (!isAnswered) throw error;
      deps.log.error({ err: error }, "Supabase refused a call whose form was answered already");
    });
  const end = equalTime(deps, done);
  await Promise.race([Promise.all([done, end]), end]);
  isAnswered = true;
}
