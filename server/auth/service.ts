import { uuidv7 } from "uuidv7";
import { pruneSpentTokens } from "../bot-check/embedded.ts";
import type { Db, Tx } from "../db/client.ts";
import { inTransaction } from "../db/transaction.ts";
import type { Deps } from "../deps.ts";
import { AppError } from "../errors.ts";
import type { Caller } from "../http/endpoint.ts";
import { readUser } from "../profile/service.ts";
import { SESSION_LIFETIME_SECONDS, type LoginInput, type LoginResult } from "./contract.ts";
import { createCredential, hashCredential, kindOfCredential } from "./credential.ts";
import { emailKey } from "./email-key.ts";
import { deleteExpiredResets } from "./password-reset.queries.ts";
import * as queries from "./queries.ts";
import { deleteExpiredSignUps } from "./sign-up.queries.ts";

/** Expired rows that one pruning removes at most, so that it never holds the database for long. */
const PRUNE_LIMIT = 5000;

/**
 * Resolves the bearer credential of a call: a session's token, or, where a member's node may call, a device key.
 * Throws UNAUTHENTICATED for one that is unknown, expired or revoked.
 */
export async function authenticate(
  { db, now }: Pick<Deps, "db" | "now">,
  credential: string,
  access: "member" | "node",
): Promise<Caller> {
  const kind = kindOfCredential(credential);
  const hash = hashCredential(credential);
  const caller =
    kind === "session"
      ? await queries.findSession(db, { hash, now: now() })
      : kind === "device" && access === "node"
        ? await queries.findDevice(db, { hash })
        : undefined;
  if (!caller) throw new AppError("UNAUTHENTICATED", "Your session has ended. Please sign in again.");
  return caller;
}

/**
 * Signs a member in with email and password, in the same time whether or not the address is known.
 * Throws BOT_CHECK_FAILED, INVALID_CREDENTIALS, or UNAVAILABLE when too many sign in at once.
 */
export async function login(deps: Deps, { email, password, turnstileToken }: LoginInput): Promise<LoginResult> {
  // First of all, so that whoever is sent away can send the same form, with its token unspent, again.
  deps.passwords.ensureRoom();
  await deps.botCheck.verify(turnstileToken);

  const account = await queries.findAccount(deps.db, emailKey(email));
  const isRight = await deps.passwords.verify(account?.passwordHash, password);
  if (!account || !isRight) refuseCredentials();

  const passwordHash = await renewHash(deps, account, password);
  const accessToken = await inTransaction(deps.db, async (tx) => {
    // A reset that came between must not leave a session of the old password behind.
    if (!(await queries.holdPassword(tx, { userId: account.id, passwordHash }))) refuseCredentials();
    return startSession({ db: tx, now: deps.now }, account.id);
  });
  return { access_token: accessToken, user: await readUser(deps, account.id) };
}

function refuseCredentials(): never {
  throw new AppError("INVALID_CREDENTIALS", "That email and password do not match.");
}

/**
 * Brings a hash made with older parameters up to date: only at sign-in is the password at hand. Returns the hash
 * that the password has now.
 */
async function renewHash(
  { db, log, passwords }: Deps,
  { id, passwordHash }: { id: string; passwordHash: string },
  password: string,
): Promise<string> {
  if (!passwords.needsRehash(passwordHash)) return passwordHash;
  try {
    const renewed = await passwords.hash(password);
    const isRenewed = await queries.replacePasswordHash(db, id, { old: passwordHash, new: renewed });
    return isRenewed ? renewed : passwordHash;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    log.info({ err: error }, "A password keeps its old hash until the next sign-in");
    return passwordHash;
  }
}

/** Starts a session and returns its token, which exists nowhere else. */
export async function startSession({ db, now }: { db: Db | Tx; now: () => Date }, userId: string): Promise<string> {
  const { token, hash } = createCredential("session");
  const createdAt = now();
  const expiresAt = new Date(createdAt.getTime() + SESSION_LIFETIME_SECONDS * 1000);
  await queries.insertSession(db, { userId, id: uuidv7(), tokenHash: hash, createdAt, expiresAt });
  return token;
}

/** Ends the session a call was made in: its token opens nothing from now on. */
export async function logout({ db, now }: Pick<Deps, "db" | "now">, { userId, sessionId }: Caller) {
  if (sessionId) await queries.revokeSession(db, { userId, sessionId, now: now() });
  return { success: true, message: "You are signed out." };
}

/** Removes a bounded number of sessions, tokens and requests whose time is over; for the process's timer. */
export async function pruneExpired({ db, now }: Pick<Deps, "db" | "now">) {
  const expired = { before: now(), limit: PRUNE_LIMIT };
  return {
    sessions: await queries.deleteExpiredSessions(db, expired),
    botChecks: await pruneSpentTokens(db, expired),
    signUps: await deleteExpiredSignUps(db, expired),
    passwordResets: await deleteExpiredResets(db, expired),
  };
}
