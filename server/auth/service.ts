import { inTransaction } from "../db/transaction.ts";
import type { Deps } from "../deps.ts";
import { AppError } from "../errors.ts";
import { limitKeyOf, nameDevice, type Client } from "../http/client.ts";
import { readUser } from "../profile/service.ts";
import { LIMITS } from "../rate-limits/rules.ts";
import { recordEvent } from "../security-activity/service.ts";
import { startSession } from "../sessions/service.ts";
import type { LoginInput, LoginResult } from "./contract.ts";
import { emailKey } from "./email-key.ts";
import * as letters from "./letters.ts";
import { expiryOfNotice } from "./notice.ts";
import * as queries from "./queries.ts";

/**
 * Signs a member in with email and password, in the same time whether or not the address is known.
 * Throws BOT_CHECK_FAILED, INVALID_CREDENTIALS, TOO_MANY_ATTEMPTS, or UNAVAILABLE when too many sign in at once.
 */
export async function login(deps: Deps, input: LoginInput, client: Client): Promise<LoginResult> {
  const { email, password, turnstileToken } = input;
  // First of all, so that whoever is sent away can send the same form, with its token unspent, again.
  deps.passwords.ensureRoom();
  await deps.limits.take(LIMITS.signInByClient, limitKeyOf(client.address));
  await deps.botCheck.verify(turnstileToken, client);

  const key = emailKey(email);
  const account = await queries.findAccount(deps.db, key, client.deviceHash);
  const limit = limitOf(key, client, account?.isKnownDevice ?? false);
  await deps.limits.take(limit.rule, limit.subject);
  const isRight = await deps.passwords.verify(account?.passwordHash, password);
  if (!account?.passwordHash || !isRight) {
    await recordEvent(deps, { userId: account?.id, kind: "sign-in-failed", client });
    refuseCredentials();
  }
  await deps.limits.release(limit.rule, limit.subject);

  const passwordHash = await renewHash(deps, { id: account.id, passwordHash: account.passwordHash }, password);
  const accessToken = await beginSession(deps, { ...account, passwordHash }, client);
  deps.outbox.wake();
  return { access_token: accessToken, user: await readUser(deps, account.id) };
}

/** A browser that the member knows has tries of its own, which nobody elsewhere can use up. */
function limitOf(key: string, { deviceHash }: Client, isKnownDevice: boolean) {
  return isKnownDevice && deviceHash
    ? { rule: LIMITS.signInByDevice, subject: `${key} ${deviceHash.toString("hex")}` }
    : { rule: LIMITS.signInByAccount, subject: key };
}

type CheckedAccount = { id: string; email: string; passwordHash: string };

function beginSession({ db, now, outbox }: Deps, account: CheckedAccount, client: Client): Promise<string> {
  const { id: userId, email, passwordHash } = account;
  return inTransaction(db, async (tx) => {
    // A reset that came between must not leave a session of the old password behind.
    if (!(await queries.holdPassword(tx, { userId, passwordHash }))) refuseCredentials();
    const scope = { db: tx, now };
    const { token, isNewDevice } = await startSession(scope, { userId, client });
    await recordEvent(scope, { userId, kind: isNewDevice ? "signed-in-on-new-device" : "signed-in", client });
    if (isNewDevice) {
      const letter = letters.newDevice(email, { device: nameDevice(client.userAgent), at: now() });
      await outbox.post(tx, letter, expiryOfNotice(now()));
    }
    return token;
  });
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
