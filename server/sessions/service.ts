import { uuidv7 } from "uuidv7";
import { createCredential, hashCredential, kindOfCredential } from "../secrets/credential.ts";
import type { Db, Tx } from "../db/client.ts";
import { inTransaction } from "../db/transaction.ts";
import { findErrorCode, READ_ONLY } from "../db/unavailable.ts";
import type { Deps } from "../deps.ts";
import { AppError } from "../errors.ts";
import { nameDevice, nameNetwork, type Client } from "../http/client.ts";
import type { Caller, Requester } from "../http/endpoint.ts";
import { recordEvent } from "../security-activity/service.ts";
import { SESSION_IDLE_SECONDS, SESSION_LIFETIME_SECONDS, type Sessions } from "./contract.ts";
import { tryToRequireFreshReads, type OwnWritesDeps } from "./own-writes.ts";
import * as queries from "./queries.ts";

type Clock = { now: () => Date };

/** The shortest time between two notes of a session's use, in milliseconds. */
const NOTE_EVERY = 5 * 60 * 1000;

const SESSION_ENDED = "Your session has ended. Please sign in again.";

/** The provider's session behind one of ours, if another provider keeps the passwords. */
export type ProviderSession = {
  /** Encrypts the provider's own tokens for the session's id. */
  seal: (id: string) => Buffer;
  /** When the tokens must be renewed. */
  expiresAt: Date;
};

/**
 * Renews the provider's session behind one of ours. Returns "ended" if the provider has ended it, but not because of an
 * outage.
 */
export type RefreshSession = (
  session: Required<Pick<Caller, "userId" | "sessionId">> & { providerExpiresAt: Date },
) => Promise<"refreshed" | "kept" | "ended">;

/** Returns the node of a device key, by the key's hash, or undefined if the key opens nothing. */
type AdmitNode = (hash: Buffer) => Promise<Caller | undefined>;

type ResumeDeps = OwnWritesDeps & Pick<Deps, "now"> & { refresh: RefreshSession };

/**
 * Resolves the bearer credential of a call: a session token or, if a member's node may make the call, a device key.
 * Throws UNAUTHENTICATED if the credential is unknown, expired or revoked, and KEY_REVOKED for a revoked device key.
 */
export async function authenticate(
  deps: ResumeDeps & { admitNode: AdmitNode },
  credential: string,
  access: "member" | "node",
): Promise<Caller> {
  const kind = kindOfCredential(credential);
  const hash = hashCredential(credential);
  const caller =
    kind === "session"
      ? await resumeSession(deps, hash)
      : kind === "device" && access === "node"
        ? await deps.admitNode(hash)
        : undefined;
  if (!caller) throw new AppError("UNAUTHENTICATED", SESSION_ENDED);
  return caller;
}

async function resumeSession(deps: ResumeDeps, hash: Buffer): Promise<Caller | undefined> {
  const { db, refresh } = deps;
  const now = deps.now();
  const session = await queries.findSession(db, { hash, ...runningAt(now) });
  if (!session) return undefined;
  const { userId, sessionId, lastSeenAt, providerExpiresAt, readsFrom } = session;
  const isDue = providerExpiresAt !== null && providerExpiresAt <= now;
  const outcome = isDue ? await unlessReadOnly(refresh({ userId, sessionId, providerExpiresAt })) : "kept";
  if (outcome === "ended") return undefined;
  const before = new Date(now.getTime() - NOTE_EVERY);
  const isNoted =
    lastSeenAt <= before && (await unlessReadOnly(queries.touchSession(db, { userId, sessionId, before, now })));
  if (readsFrom === null) await tryToRequireFreshReads(deps, userId);
  const isRefreshed = isNoted === true || outcome === "refreshed";
  return { userId, sessionId, readsFrom, isRefreshed, isDue: outcome === undefined };
}

/** Returns undefined if the database takes no writes at the moment, because members can still read then. */
async function unlessReadOnly<Result>(writing: Promise<Result>): Promise<Result | undefined> {
  try {
    return await writing;
  } catch (error) {
    if (findErrorCode(error) === READ_ONLY) return undefined;
    throw error;
  }
}

/** Returns the times that tell whether a session is running. */
export const runningAt = (now: Date) => ({ now, idleSince: new Date(now.getTime() - SESSION_IDLE_SECONDS * 1000) });

type StartedSession = {
  /** The only copy. */
  token: string;
  /** Whether the member has not signed in with this browser before. */
  isNewDevice: boolean;
};

type NewSession = {
  userId: string;
  client: Client;
  providerSession?: ProviderSession | undefined;
  /** Whether the member gave their password to start it. */
  byPassword?: boolean | undefined;
};

/** Starts a session, with a new id and token. */
export async function startSession(
  { db, now }: { db: Db | Tx } & Clock,
  { userId, client, providerSession, byPassword = false }: NewSession,
): Promise<StartedSession> {
  const { token, hash } = createCredential("session");
  const createdAt = now();
  const expiresAt = new Date(createdAt.getTime() + SESSION_LIFETIME_SECONDS * 1000);
  const times = { createdAt, lastSeenAt: createdAt, expiresAt, passwordAt: byPassword ? createdAt : null };
  const place = { device: nameDevice(client.userAgent), network: nameNetwork(client.address) };
  const id = uuidv7();
  const provider = providerSession && {
    providerSession: providerSession.seal(id),
    providerExpiresAt: providerSession.expiresAt,
  };
  await queries.insertSession(db, { userId, id, tokenHash: hash, ...times, ...place, ...provider });
  const { deviceHash } = client;
  const isNewDevice =
    !deviceHash || (await queries.rememberDevice(db, { userId, tokenHash: deviceHash, now: createdAt }));
  return { token, isNewDevice };
}

/**
 * Notes that a member has given their password in a session. Throws UNAUTHENTICATED if the session has ended meanwhile.
 */
export async function notePassword(tx: Tx, given: { userId: string; sessionId: string; now: Date }): Promise<void> {
  if (!(await queries.markPassword(tx, given))) throw new AppError("UNAUTHENTICATED", SESSION_ENDED);
}

/**
 * Keeps the calling session from ending until the transaction ends, for work that relies on a password given in it
 * before. A change of password locks the member's row and then ends sessions, so lock that row first. Throws
 * UNAUTHENTICATED if the session has ended meanwhile.
 */
export async function lockCallerSession(tx: Tx, { userId, sessionId }: Caller): Promise<void> {
  if (sessionId && (await queries.lockSession(tx, { userId, sessionId }))) return;
  throw new AppError("UNAUTHENTICATED", SESSION_ENDED);
}

/** Lists where a member is signed in, most recently used first, at most MAX_SESSIONS. */
export async function readSessions({ db, now }: Pick<Deps, "db" | "now">, caller: Caller): Promise<Sessions> {
  const found = await queries.findSessions(db, { userId: caller.userId, ...runningAt(now()) });
  const { sessionId } = caller;
  return { sessions: found.map((session) => describeSession(session, session.id === sessionId)) };
}

export const describeSession = ({ id, device, network, ...at }: queries.Session, current: boolean) => ({
  id,
  device,
  network,
  createdAt: at.createdAt.toISOString(),
  lastSeenAt: at.lastSeenAt.toISOString(),
  expiresAt: at.expiresAt.toISOString(),
  current,
});

/** Ends one of the member's sessions. Throws NOT_FOUND if it is not theirs or has ended. */
export async function revokeSession({ db, now }: Deps, { id }: { id: string }, { caller, client }: Requester) {
  const { userId } = caller;
  await inTransaction(db, async (tx) => {
    if (!(await queries.revokeSession(tx, { userId, sessionId: id, now: now() }))) {
      throw new AppError("NOT_FOUND", "That session has already ended.");
    }
    await recordEvent({ db: tx, now }, { userId, kind: "session-revoked", client });
  });
  return { success: true, message: "That device has been signed out." };
}

/** Ends all of the member's sessions except the one that makes the call. */
export async function revokeOtherSessions({ db, now }: Deps, { caller, client }: Requester) {
  const { userId, sessionId } = caller;
  const ended = await inTransaction(db, async (tx) => {
    const count = await queries.revokeSessions(tx, { userId, but: sessionId, ...runningAt(now()) });
    if (count > 0) await recordEvent({ db: tx, now }, { userId, kind: "other-sessions-revoked", client });
    return count;
  });
  return { success: true, message: describeEnded(ended) };
}

/** Ends all of a member's sessions, or all but one, in the transaction that is the reason for it. Returns how many. */
export const endSessions = (
  { db, now }: { db: Tx } & Clock,
  { userId, but }: { userId: string; but?: string | undefined },
): Promise<number> => queries.revokeSessions(db, { userId, but, ...runningAt(now()) });

/**
 * Forgets a member's browsers, all or all but one, so that the next sign-in with one of them counts as new. A stranger
 * with the replaced password or address may have signed in with their own browser.
 */
export const forgetDevices = (tx: Tx, devices: { userId: string; but?: Buffer | undefined }): Promise<void> =>
  queries.deleteDevices(tx, devices);

function describeEnded(count: number) {
  if (count === 0) return "You are not signed in on any other device.";
  return count === 1 ? "One other device has been signed out." : `${count} other devices have been signed out.`;
}

/** Ends the session in which a call is made. Its token no longer works. */
export async function logout({ db, now }: Deps, { caller, client }: Requester) {
  const { userId, sessionId } = caller;
  if (sessionId) {
    await inTransaction(db, async (tx) => {
      const isFirst = await queries.revokeSession(tx, { userId, sessionId, now: now() });
      if (isFirst) await recordEvent({ db: tx, now }, { userId, kind: "signed-out", client });
    });
  }
  return { success: true, message: "You are signed out." };
}

/** A provider that may keep a session behind one of ours. */
export type SessionProvider = { release(within?: number): Promise<void> };

/** How recently a session must have ended to count as ended by the current call, in milliseconds. */
const JUST_ENDED = 60_000;

/**
 * Resolves with the result of `ending`, and then has the provider end the same sessions. Nobody waits for that, and it
 * never fails. Housekeeping retries what the provider refused before: otherwise every sign-out would retry all of it.
 */
export async function releaseAfter<Result>(provider: SessionProvider, ending: Promise<Result>): Promise<Result> {
  const result = await ending;
  void provider.release(JUST_ENDED);
  return result;
}
