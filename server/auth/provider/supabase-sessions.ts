import { setTimeout as wait } from "node:timers/promises";
import { isAuthError, type Session } from "@supabase/auth-js";
import type { Db, Tx } from "../../db/client.ts";
import { AppError } from "../../errors.ts";
import type { Seal } from "../../secrets/seal.ts";
import type { ProviderSession, RefreshSession } from "../../sessions/service.ts";
import { settleAddress } from "./supabase-address.ts";
import { isEnded, openClient, type SupabaseDeps } from "./supabase-client.ts";
import * as queries from "./supabase.queries.ts";

/** What is kept of Supabase's session, encrypted. */
type KeptSession = Pick<Session, "access_token" | "refresh_token">;

/** Seconds before its end at which a token is renewed, so that it does not end on the way. */
const EARLY_SECONDS = 30;
/** For this long whoever renews a session has it to themselves: longer than the client tries. */
const LEASE_MS = 60_000;
/** A page waits no longer for a renewal; it then goes on without. */
const PATIENCE_MS = 3000;
/** Sessions that are ended there at the same time, and how often that is done in one go. */
const RELEASED_AT_ONCE = 20;
const RELEASES = 50;

export const sealSession = (seal: Seal, id: string, { access_token, refresh_token }: KeptSession): Buffer =>
  seal.seal(id, JSON.stringify({ access_token, refresh_token } satisfies KeptSession));

/** Undefined for none, and when it was encrypted with another secret: then nobody can use it any more. */
export function openKept(seal: Seal, id: string, sealed: Buffer | null): KeptSession | undefined {
  if (!sealed) return undefined;
  try {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the seal shows that sealSession wrote it
    return JSON.parse(seal.open(id, sealed)) as KeptSession;
  } catch {
    return undefined;
  }
}

/** A session of Supabase's, to stand behind one of ours. */
export const behind = ({ supabase, now }: SupabaseDeps, session: Session): ProviderSession => ({
  seal: (id) => sealSession(supabase.seal, id, session),
  expiresAt: dueOf(session, now()),
});

const dueOf = ({ expires_in: seconds }: Session, now: Date) =>
  new Date(now.getTime() + (seconds - EARLY_SECONDS) * 1000);

/** Puts another session of Supabase's behind one of ours. False where that is not meant any more. */
export async function saveSession(
  db: Db | Tx,
  { supabase, now }: SupabaseDeps,
  key: queries.SessionKey,
  session: Session,
): Promise<boolean> {
  const providerSession = sealSession(supabase.seal, key.sessionId, session);
  return queries.keepSession(db, key, { providerSession, providerExpiresAt: dueOf(session, now()) });
}

/**
 * Renews Supabase's session behind one of ours; of many calls at once in many processes, one does. A new password may
 * put another one there meanwhile, and end the one that is being renewed: then the other one stays.
 */
export async function refresh(deps: SupabaseDeps, session: Parameters<RefreshSession>[0]): ReturnType<RefreshSession> {
  const lease = { ...session, providerExpiresAt: new Date(deps.now().getTime() + LEASE_MS) };
  const leased = await queries.leaseSession(deps.db, session, lease.providerExpiresAt);
  if (!leased) return "kept";
  const renewal = renew(deps, lease, leased.sealed).catch((error: unknown) => {
    deps.log.warn({ err: error }, "a session at Supabase could not be renewed");
    return "kept" as const;
  });
  // A renewal that takes longer goes on: what it brings is the only way to the next one.
  return Promise.race([renewal, wait(PATIENCE_MS, "kept" as const, { ref: false })]);
}

async function renew(deps: SupabaseDeps, key: queries.SessionKey, sealed: Buffer | null): ReturnType<RefreshSession> {
  const kept = openKept(deps.supabase.seal, key.sessionId, sealed);
  if (!kept) return end(deps, key);
  const answer = await openClient(deps.supabase).refreshSession(kept);
  if (isEnded(answer)) return end(deps, key);
  if (answer.error) throw answer.error;
  if (!answer.data.session) return end(deps, key);
  if (!(await saveSession(deps.db, deps, key, answer.data.session))) return "kept";
  await settleAddress(deps, answer.data.session.user, { but: key.sessionId });
  return "refreshed";
}

async function end({ db, now }: SupabaseDeps, key: queries.SessionKey): Promise<"ended" | "kept"> {
  return (await queries.endSession(db, key, now())) ? "ended" : "kept";
}

/** Ends a session at Supabase that stands behind none of ours. If not, it runs out: nobody has its tokens. */
export async function endAtOnce({ log, supabase }: SupabaseDeps, { access_token }: Session): Promise<void> {
  const { error } = await openClient(supabase).admin.signOut(access_token, "local");
  if (error) log.warn({ err: error }, "a session at Supabase could not be ended");
}

const REFUSALS = new Set<AppError["code"]>(["CONFLICT", "FORBIDDEN", "VALIDATION_ERROR"]);

/**
 * The same where somebody is refused who has just got one, and throws why. After another failure it may stand behind
 * one of ours, or Supabase would not end it either.
 */
export async function endRefused(deps: SupabaseDeps, session: Session, error: unknown): Promise<never> {
  if (error instanceof AppError && REFUSALS.has(error.code)) await endAtOnce(deps, session);
  throw error;
}

/**
 * Ends at Supabase what has ended here, within so many milliseconds or ever, a bounded number; what could not be ended
 * is tried again the next time. One that Supabase refuses to end keeps no other waiting.
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
 * Refusals of one session. Where Supabase does not work, refuses our key or was asked too much, others fail as well.
 */
const OF_ONE = new Set([400, 403, 404, 422]);
const isOfOne = (error: unknown) => isAuthError(error) && OF_ONE.has(error.status ?? 0);

type Revoked = queries.SessionKey & { sealed: Buffer | null };

async function releaseOne({ db, supabase }: SupabaseDeps, { sealed, ...key }: Revoked): Promise<void> {
  const kept = openKept(supabase.seal, key.sessionId, sealed);
  const client = openClient(supabase);
  const resumed = kept && (await client.setSession(kept));
  if (resumed?.error && !isEnded(resumed)) throw resumed.error;
  if (resumed?.data.session) {
    const { error } = await client.signOut({ scope: "local" });
    if (error) throw error;
  }
  await queries.keepSession(db, key, { providerSession: null, providerExpiresAt: null });
}
