import { setTimeout as wait } from "node:timers/promises";
import { GoTrueClient, isAuthSessionMissingError, type AuthError, type Session } from "@supabase/auth-js";
import type { Deps } from "../../deps.ts";
import * as z from "zod";
import { AppError } from "../../errors.ts";
import { readText } from "../../http/read-text.ts";
import { guessable } from "../../password-rules/refuse-guessable.ts";
import type { Seal } from "../../secrets/seal.ts";

/** What its sessions are sealed for. */
export const PROVIDER_SESSIONS = "provider sessions";

export type Supabase = {
  /** Such as https://project.supabase.co */
  url: string;
  anonKey: string;
  /** Encrypts what is kept of its sessions. */
  seal: Seal;
  /** Waits for a second: for so long every answer takes whose time could tell whether an address is known. */
  equalTime?: (work: Promise<unknown>) => Promise<void>;
};

export type SupabaseDeps = Deps & { supabase: Supabase };

const TIME_OUT_MS = 8000;
const EQUAL_TIME_MS = 1000;
const RETRY_AFTER = 5;

/** A client for one operation: it keeps nothing, renews nothing by itself and looks at no address. */
export function openClient({ url, anonKey }: Supabase): GoTrueClient {
  return new GoTrueClient({
    url: addressOf(url),
    headers: { apikey: anonKey, Authorization: `Bearer ${anonKey}` },
    persistSession: false,
    autoRefreshToken: false,
    detectSessionInUrl: false,
    fetch: ask,
  });
}

const addressOf = (url: string) => `${url.replace(/\/$/, "")}/auth/v1`;

/** What the project says of itself. Rejects as `ask` does. */
export const askForSettings = async ({ url, anonKey }: Supabase): Promise<unknown> =>
  (await ask(`${addressOf(url)}/settings`, { headers: { apikey: anonKey } })).json();

const Text = z.string().min(1).max(10_000);

/** The longest that a project can have is a week. */
const MOST_SECONDS = 604_800;

/** What we use of an answer: a session or a user, or none of these. */
const Answered = z.looseObject({
  id: z.guid().optional(),
  access_token: Text.optional(),
  refresh_token: Text.optional(),
  expires_in: z.int().min(1).max(MOST_SECONDS).optional(),
  user: z
    .looseObject({
      id: z.guid(),
      // Empty for who signs in by phone.
      email: z
        .string()
        .max(254)
        .regex(/^\P{Cc}*$/u)
        .nullish(),
      email_confirmed_at: z.string().nullish(),
    })
    .optional(),
});

/** Bytes of the largest answer: a session has some thousands. */
const MOST_BYTES = 1024 * 1024;

/** The library believes whatever is answered: one of another form, or without end, is rejected, and counts as none. */
const ask: typeof fetch = async (input, init) => {
  const answer = await fetch(input, { ...init, redirect: "error", signal: AbortSignal.timeout(TIME_OUT_MS) });
  const { body, headers, ok, status } = answer;
  if (!body) return answer;
  const text = await readText(answer, MOST_BYTES);
  if (ok) Answered.parse(JSON.parse(text));
  return new Response(text, { status, headers });
};

type Answer = { error: AuthError | null };

type LogDeps = Pick<Deps, "log">;

/** The session of an answer. Throws TOO_MANY_ATTEMPTS or UNAVAILABLE when there is none. */
export function requireSession(
  deps: LogDeps,
  { data, error }: Answer & { data: { session: Session | null } },
): Session {
  if (error) throw explain(deps, error);
  if (data.session?.user) return data.session;
  throw new AppError("UNAVAILABLE", "The account could not be opened.", { retryAfter: RETRY_AFTER });
}

/** What an error means that nobody has taken for an answer: too much was asked, or Supabase does not work. */
export function explain(deps: LogDeps, error: AuthError): AppError {
  if (error.status === 429) {
    const message = "Too many attempts. Please try again in a minute.";
    return new AppError("TOO_MANY_ATTEMPTS", message, { retryAfter: 60, cause: error });
  }
  return unavailable(deps, error);
}

/** Supabase does not work. Nobody signs in until it does: why is for the operator. */
export function unavailable({ log }: LogDeps, cause: unknown): AppError {
  log.error({ err: cause }, "Supabase does not work");
  const message = "This does not work right now. Please try again in a moment.";
  return new AppError("UNAVAILABLE", message, { retryAfter: RETRY_AFTER, cause });
}

export const hasCode = ({ error }: Answer, codes: readonly NonNullable<AuthError["code"]>[]): boolean =>
  error?.code !== undefined && codes.includes(error.code);

/** A code or link that is wrong, used or too old: Supabase does not tell them apart. */
export const isSpent = (answer: Answer): boolean => hasCode(answer, ["otp_expired"]);

/** Whether Supabase has definitely ended a session. A key that is refused, or an outage, has ended none. */
export const isEnded = (answer: Answer): boolean =>
  isAuthSessionMissingError(answer.error) ||
  hasCode(answer, [
    "refresh_token_not_found",
    "refresh_token_already_used",
    "session_not_found",
    "session_expired",
    "user_not_found",
    "user_banned",
  ]);

/**
 * Whether Supabase itself has said no, so that nothing comes of what was asked. After an outage, or a gateway's word,
 * it may still come about.
 */
const isRefused = ({ error }: Answer): boolean =>
  error?.status !== undefined && error.status >= 400 && error.status <= 500;

/** Bytes of a password that bcrypt, with which Supabase hashes it, looks at. */
const MOST_HASHED = 72;

/** Throws VALIDATION_ERROR for a new password that is too long for Supabase, which has no code of its own for that. */
export function refuseLongPassword(password: string): void {
  if (Buffer.byteLength(password) <= MOST_HASHED) return;
  const message = `Use at most ${MOST_HASHED} characters. Accented letters and emoji count as more than one.`;
  throw new AppError("VALIDATION_ERROR", message, { fields: { password: [message] } });
}

/** Throws VALIDATION_ERROR for a new password that Supabase does not take. */
export function refuseWeakPassword(answer: Answer): void {
  if (hasCode(answer, ["weak_password"])) throw guessable(answer.error);
}

/**
 * Sets a password. `undo` is done where Supabase itself refuses it. Throws VALIDATION_ERROR for one that it does not
 * take, TOO_MANY_ATTEMPTS and UNAVAILABLE.
 */
export async function setPassword(
  deps: LogDeps,
  supabase: GoTrueClient,
  password: string,
  undo: () => Promise<void> = async () => {},
): Promise<void> {
  const changed = await supabase.updateUser({ password });
  // A member who chooses the password they have already has what they want.
  if (!changed.error || hasCode(changed, ["same_password"])) return;
  if (isRefused(changed)) await undo();
  refuseWeakPassword(changed);
  throw explain(deps, changed.error);
}

/**
 * Supabase takes longer where it knows an address: there is a mail to send, or a hash to compare. An answer whose time
 * could tell is given when this time is over, not sooner and not later.
 */
export const equalTime = ({ supabase }: SupabaseDeps, work: Promise<unknown>): Promise<void> =>
  supabase.equalTime?.(work) ?? wait(EQUAL_TIME_MS, undefined, { ref: false });

/**
 * Does work and resolves after the same time as for any other. Work that takes longer goes on by itself. Only a failure
 * is told at once: what `work` throws must not depend on the address.
 */
export async function inEqualTime(deps: SupabaseDeps, work: () => Promise<void>): Promise<void> {
  let isAnswered = false;
  // In a turn of its own: the time begins before it.
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
