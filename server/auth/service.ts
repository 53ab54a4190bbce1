import { inTransaction } from "../db/transaction.ts";
import type { Deps } from "../deps.ts";
import { AppError } from "../errors.ts";
import type { Client } from "../http/client.ts";
import { readUser } from "../profile/service.ts";
import type { LoginInput, LoginResult } from "./contract.ts";
import * as queries from "./queries.ts";
import { beginAttempt, refuseCredentials, signIn } from "./sign-in/sign-in.ts";

/**
 * Signs a member in with email and password. Takes the same time whether or not the address is known. Throws
 * BOT_CHECK_FAILED, INVALID_CREDENTIALS, TOO_MANY_ATTEMPTS, UNAVAILABLE if too many people sign in at once, and
 * FORBIDDEN for a blocked member, who learns it only with the right password.
 */
export async function login(deps: Deps, input: LoginInput, client: Client): Promise<LoginResult> {
  const { email, password, turnstileToken } = input;
  // Comes first, so that a visitor who is turned away can send the same form again with its token unspent.
  deps.passwords.ensureRoom();
  const { account, fail, succeed } = await beginAttempt(deps, { email, turnstileToken }, client);
  const isRight = await deps.passwords.verify(account?.passwordHash, password);
  if (!account?.passwordHash || !isRight) return fail();
  await succeed();

  const passwordHash = await renewHash(deps, { id: account.id, passwordHash: account.passwordHash }, password);
  const accessToken = await beginSession(deps, { ...account, passwordHash }, client);
  return { access_token: accessToken, user: await readUser(deps, account.id) };
}

type CheckedAccount = { id: string; email: string; passwordHash: string };

function beginSession(deps: Deps, account: CheckedAccount, client: Client): Promise<string> {
  const { id: userId, email, passwordHash } = account;
  return inTransaction(deps.db, async (tx) => {
    // A reset in between must not leave a session of the old password behind, nor a change of address one of the former
    // address.
    if (!(await queries.lockCredentials(tx, { userId, email, passwordHash }))) refuseCredentials();
    return signIn(deps, tx, { userId, email, client, byPassword: true });
  });
}

/**
 * Renews a hash that was made with older parameters. Happens at sign-in, the only time that the password is at hand.
 * Returns the password's current hash.
 */
async function renewHash(
  deps: Deps,
  { id, passwordHash }: Pick<CheckedAccount, "id" | "passwordHash">,
  password: string,
): Promise<string> {
  const { db, passwords } = deps;
  if (!passwords.needsRehash(passwordHash)) return passwordHash;
  const renewed = await hashIfRoom(deps, password);
  if (renewed && (await queries.replacePasswordHash(db, id, { old: passwordHash, new: renewed }))) return renewed;
  // Another sign-in at the same moment may have renewed it, with a different salt.
  const current = (await queries.findPassword(db, id))?.passwordHash;
  if (!current || current === passwordHash) return passwordHash;
  return (await passwords.verify(current, password)) ? current : passwordHash;
}

async function hashIfRoom({ log, passwords }: Deps, password: string): Promise<string | undefined> {
  try {
    return await passwords.hash(password);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    log.info({ err: error }, "A password keeps its old hash until the next sign-in");
    return undefined;
  }
}
