import { setTimeout as wait } from "node:timers/promises";
import { isAuthError, type Session } from "@supabase/auth-js";
import type { Db, Tx } from "../../db/client.ts";
import { AppError } from "../../errors.ts";
import type { Seal } from "../../secrets/seal.ts";
import type { ProviderSession, RefreshSession } from "../../sessions/service.ts";
import { syncAddress } from "./supabase-address.ts";
import { isEnded, openClient, type SupabaseDeps } from "./supabase-client.ts";
import * as queries from "./supabase.queries.ts";

/** The parts of Supabase's session that are kept, encrypted. */
type StoredSession = Pick<Session, "access_token" | "refresh_token">;

/** How long before its end a token is renewed, in seconds, so that it does not expire on the way. */
const EARLY_SECONDS = 30;
/** How long the process that renews a session has it to itself: longer than the client keeps trying. */
const LEASE_MS = 60_000;
/** How long a page waits for a renewal before it continues without. */
const RENEWAL_TIMEOUT_MS = 3000;
/** How many sessions are ended at Supabase at the same time, and how many such rounds one run may take. */
const RELEASED_AT_ONCE = 20;
const RELEASES = 50;

export const sealSession = (seal: Seal, id: string, { access_token, refresh_token }: StoredSession): Buffer =>
  seal.seal(id, JSON.stringify({ access_token, refresh_token } satisfies StoredSession));

/**
 * Decrypts a session. Returns undefined if there is none, or if it was encrypted with another secret: nobody can use it
 * any more.
 */
export function unsealSession(seal: Seal, id: string, sealed: Buffer | null): StoredSession | undefined {
  if (!sealed) return undefined;
  try {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the seal shows that sealSession wrote it
    return JSON.parse(seal.open(id, sealed)) as StoredSession;
  } catch {
    return undefined;
  }
}

/** Prepares a session of Supabase's to stand behind one of ours. */
export const toProviderSession = ({ supabase, now }: SupabaseDeps, session: Session): ProviderSession => ({
  seal: (id) => sealSession(supabase.seal, id, session),
  expiresAt: dueOf(session, now()),
});

const dueOf = ({ expires_in: seconds }: Session, now: Date) =>
  new Date(now.getTime() + (seconds - EARLY_SECONDS) * 1000);

/** Puts another Supabase session behind one of ours. Returns false if ours no longer matches the key. */
export async function saveSession(
  db: Db | Tx,
  { supabase, now }: SupabaseDeps,
  key: queries.SessionKey,
  session: Session,
): Promise<boolean> {
  const providerSession = sealSession(supabase.seal, key.sessionId, session);
  return queries.storeProviderSession(db, key, { providerSession, providerExpiresAt: dueOf(session, now()) });
}

/**
 * Renews the Supabase session behind one of ours. If many calls in many processes want it at once, only one renews it.
 * A new password may put another session there meanwhile and end the one being renewed: then the other one stays.
 */
export async function refresh(deps: SupabaseDeps, session: Parameters<RefreshSession>[0]): ReturnType<RefreshSession> {
  const lease = { ...session, providerExpiresAt: new Date(deps.now().getTime() + LEASE_MS) };
  const leased = await queries.leaseSession(deps.db, session, lease.providerExpiresAt);
  if (!leased) return "kept";
  const renewal = renew(deps, lease, leased.sealed).catch((error: unknown) => {
    deps.log.warn({ err: error }, "a session at Supabase could not be renewed");
    return "kept" as const;
  });
  // A slower renewal continues: only its result allows the next renewal.
  return Promise.race([renewal, wait(RENEWAL_TIMEOUT_MS, "kept" as const, { ref: false })]);
}

async function renew(deps: SupabaseDeps, key: queries.SessionKey, sealed: Buffer | null): ReturnType<RefreshSession> {
  const stored = unsealSession(deps.supabase.seal, key.sessionId, sealed);
  if (!stored) return end(deps, key);
  const answer = await openClient(deps.supabase).refreshSession(stored);
  if (isEnded(answer)) return end(deps, key);
  if (answer.error) throw answer.error;
  if (!answer.data.session) return end(deps, key);
  if (!(await saveSession(deps.db, deps, key, answer.data.session))) return "kept";
  await syncAddress(deps, answer.data.session.user, { but: key.sessionId });
  return "refreshed";
}

async function end({ db, now }: SupabaseDeps, key: queries.SessionKey): Promise<"ended" | "kept"> {
  return (await queries.endSession(db, key, now())) ? "ended" : "kept";
}

/** Ends a session at Supabase that backs none of ours. If that fails, the session expires: nobody has its tokens. */
export async function endProviderSession({ log, supabase }: SupabaseDeps, { access_token }: Session): Promise<void> {
  const { error } = await openClient(supabase).admin.signOut(access_token, "local");
  if (error) log.warn({ err: error }, "a session at Supabase could not be ended");
}

const REFUSALS = new Set<AppError["code"]>(["CONFLICT", "FORBIDDEN", "VALIDATION_ERROR"]);

/**
 * Ends the session at Supabase of somebody who was refused here, and rethrows the error. After any other failure it may
 * back a session of ours, or Supabase would not end it either.
 */
export async function endRefused(deps: SupabaseDeps, session: Session, error: unknown): Promise<never> {
  if (error instanceof AppError && REFUSALS.has(error.code)) await endProviderSession(deps, session);
  throw error;
}

/**
 * Ends at Supabase the sessions that have ended here, in the last `within` milliseconds or ever. Ends a limited number;
 * the next run retries what failed. A session that Supabase refuses to end does not hold up the others.
 */
export async function release(deps: SupabaseDeps, within?: number): Promise<void> {
  const since = within === undefined ? undefined : new Date(deps.now().getTime() - within);
  let last: queries.SessionKey | undefined;
  try {
    for (let time = 0; time < RELEASES; time += 1) {
      const revoked = await queries.findRevoked(deps.db, { last, since, limit: RELEASED_AT_ONCE });
      const ends = await Promise.allSettled(revoked.map((session) => releaseOne(deps, session)));
      const failures: unknown[] = ends.flatMap((end) => (end.status === "rejected" ? [end.reason] : []));
      if (failures.length > 0)
        deps.log.warn({ err: failures[0], failed: failures.length }, "sessions at Supabase could not be ended");
      if (revoked.length < RELEASED_AT_ONCE || !failures.every(isOfOne)) return;
      last = revoked.at(-1);
    }
  } catch (error) {
    deps.log.warn({ err: error }, "sessions at Supabase could not be ended");
  }
}

/**
 * Status codes that refuse a single session. If Supabase does not work, refuses our key or limits our requests, the
 * other sessions fail too.
 */
const OF_ONE = new Set([400, 403, 404, 422]);
const isOfOne = (error: unknown) => isAuthError(error) && OF_ONE.has(error.status ?? 0);

type Revoked = queries.SessionKey & { sealed: Buffer | null };

async function releaseOne({ db, supabase }: SupabaseDeps, { sealed, ...key }: Revoked): Promise<void> {
  const stored = unsealSession(supabase.seal, key.sessionId, sealed);
  const client = openClient(supabase);
  const resumed = stored && (await client.setSession(stored));
  if (resumed?.error && !isEnded(resumed)) throw resumed.error;
  if (resumed?.data.session) {
    const { error } = await client.signOut({ scope: "local" });
    if (error) throw error;
  }
  await queries.storeProviderSession(db, key, { providerSession: null, providerExpiresAt: null });
}
