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
import { tryToShowNews, type OwnWritesDeps } from "./own-writes.ts";
import * as queries from "./queries.ts";

type Clock = { now: () => Date };

/** Milliseconds between two notes of a session's use. */
const NOTE_EVERY = 5 * 60 * 1000;

const SESSION_ENDED = "Your session has ended. Please sign in again.";

/** What stands behind a session where another provider keeps the passwords. */
export type ProviderSession = {
  /** The provider's own tokens, encrypted for the session's id. */
  seal: (id: string) => Buffer;
  /** When they have to be renewed. */
  expiresAt: Date;
};

/** Renews what stands behind a session. "ended" when the provider has ended it; an outage is no reason to say so. */
export type RefreshSession = (
  session: Required<Pick<Caller, "userId" | "sessionId">> & { providerExpiresAt: Date },
) => Promise<"refreshed" | "kept" | "ended">;

/** The node of a device key, by the key's hash; undefined for a key that opens nothing. */
type AdmitNode = (hash: Buffer) => Promise<Caller | undefined>;

type ResumeDeps = OwnWritesDeps & Pick<Deps, "now"> & { refresh: RefreshSession };

/**
 * Resolves the bearer credential of a call: a session's token, or, where a member's node may call, a device key.
 * Throws UNAUTHENTICATED for one that is unknown, expired or revoked, and KEY_REVOKED for a device key that was.
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
  if (readsFrom === null) await tryToShowNews(deps, userId);
  const isRefreshed = isNoted === true || outcome === "refreshed";
  return { userId, sessionId, readsFrom, isRefreshed, isDue: outcome === undefined };
}

/** Undefined where the database takes no writes just now, which keeps nobody from reading. */
async function unlessReadOnly<Result>(writing: Promise<Result>): Promise<Result | undefined> {
  try {
    return await writing;
  } catch (error) {
    if (findErrorCode(error) === READ_ONLY) return undefined;
    throw error;
  }
}

/** What a session that runs at a time has to be compared with. */
export const runningAt = (now: Date) => ({ now, idleSince: new Date(now.getTime() - SESSION_IDLE_SECONDS * 1000) });

type StartedSession = {
  /** Exists nowhere else. */
  token: string;
  /** Whether the member has not signed in with this browser before. */
  isNewDevice: boolean;
};

type NewSession = {
  userId: string;
  client: Client;
  providerSession?: ProviderSession | undefined;
  /** Whether it is begun with the member's password. */
  byPassword?: boolean | undefined;
};

/** Starts a session, with an id and a token of its own. */
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

/** Notes that a member has given their password in a session. Throws UNAUTHENTICATED where that has ended meanwhile. */
export async function notePassword(tx: Tx, given: { userId: string; sessionId: string; now: Date }): Promise<void> {
  if (!(await queries.markPassword(tx, given))) throw new AppError("UNAUTHENTICATED", SESSION_ENDED);
}

/**
 * Has the session that asks go on until the transaction ends, for what rests on a password given in it before. Whoever
 * changes the password has the member's row and then ends sessions: lock that row first. Throws UNAUTHENTICATED where
 * the session has ended meanwhile.
 */
export async function holdSession(tx: Tx, { userId, sessionId }: Caller): Promise<void> {
  if (sessionId && (await queries.lockSession(tx, { userId, sessionId }))) return;
  throw new AppError("UNAUTHENTICATED", SESSION_ENDED);
}

/** Where a member is signed in, the latest used first: of very many, those. */
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

/** Ends one session of the member's. Throws NOT_FOUND for one that is not theirs or has ended. */
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

/** Ends every session of the member's but the one that asks. */
export async function revokeOtherSessions({ db, now }: Deps, { caller, client }: Requester) {
  const { userId, sessionId } = caller;
  const ended = await inTransaction(db, async (tx) => {
    const count = await queries.revokeSessions(tx, { userId, but: sessionId, ...runningAt(now()) });
    if (count > 0) await recordEvent({ db: tx, now }, { userId, kind: "other-sessions-revoked", client });
    return count;
  });
  return { success: true, message: describeEnded(ended) };
}

/** Ends all sessions of a member's, or all but one, in the transaction that is the reason for it; returns how many. */
export const endSessions = (
  { db, now }: { db: Tx } & Clock,
  { userId, but }: { userId: string; but?: string | undefined },
): Promise<number> => queries.revokeSessions(db, { userId, but, ...runningAt(now()) });

/**
 * Forgets a member's browsers, all or all but one, so that the next sign-in with them is news: a stranger who had the
 * password or the address that was just replaced may have signed in with a browser of their own.
 */
export const forgetDevices = (tx: Tx, devices: { userId: string; but?: Buffer | undefined }): Promise<void> =>
  queries.deleteDevices(tx, devices);

function describeEnded(count: number) {
  if (count === 0) return "You are not signed in on any other device.";
  return count === 1 ? "One other device has been signed out." : `${count} other devices have been signed out.`;
}

/** Ends the session a call was made in: its token opens nothing from now on. */
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

/** Who may have a session of its own behind one of ours. */
export type SessionProvider = { release(within?: number): Promise<void> };

/** Milliseconds within which what a call ends has ended. */
const JUST_ENDED = 60_000;

/**
 * Has the provider end what is ended here, too, once it is. Nobody waits for that, and it never fails. What it refused
 * to end before is left to the housekeeping: else each sign-out would ask for all of that.
 */
export async function releaseAfter<Result>(provider: SessionProvider, ending: Promise<Result>): Promise<Result> {
  const result = await ending;
  void provider.release(JUST_ENDED);
  return result;
}
