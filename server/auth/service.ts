import { inTransaction } from "../db/transaction.ts";
import type { Deps } from "../deps.ts";
import { AppError } from "../errors.ts";
import type { Client } from "../http/client.ts";
import { readUser } from "../profile/service.ts";
import type { LoginInput, LoginResult } from "./contract.ts";
import * as queries from "./queries.ts";
import { beginTry, refuseCredentials, signIn } from "./sign-in/sign-in.ts";

/**
 * Signs a member in with email and password, in the same time whether or not the address is known.
 * Throws BOT_CHECK_FAILED, INVALID_CREDENTIALS, TOO_MANY_ATTEMPTS, UNAVAILABLE when too many sign in at once, and
 * FORBIDDEN for a member who is blocked, who learns it by the right password alone.
 */
export async function login(deps: Deps, input: LoginInput, client: Client): Promise<LoginResult> {
  const { email, password, turnstileToken } = input;
  // First of all, so that whoever is sent away can send the same form, with its token unspent, again.
  deps.passwords.ensureRoom();
  const { account, fail, succeed } = await beginTry(deps, { email, turnstileToken }, client);
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
    // A reset that came between must not leave a session of the old password behind.
    if (!(await queries.holdPassword(tx, { userId, passwordHash }))) refuseCredentials();
    return signIn(deps, tx, { userId, email, client, byPassword: true });
  });
}

/**
 * Brings a hash made with older parameters up to date: only at sign-in is the password at hand. Returns the hash
 * that the password has now.
 */
async function renewHash(
  { db, log, passwords }: Deps,
  { id, passwordHash }: Pick<CheckedAccount, "id" | "passwordHash">,
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
