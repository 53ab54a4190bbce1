import type { Tx } from "../../db/client.ts";
import type { Deps } from "../../deps.ts";
import { AppError } from "../../errors.ts";
import { limitKeyOf, nameDevice, type Client } from "../../http/client.ts";
import { LIMITS } from "../../rate-limits/rules.ts";
import { recordEvent } from "../../security-activity/service.ts";
import { refuseBlocked } from "../../sessions/blocking.ts";
import { startSession, type ProviderSession } from "../../sessions/service.ts";
import type { LoginInput } from "../contract.ts";
import { emailKey } from "../../mail/email-key.ts";
import * as emails from "../emails.ts";
import { findAccount } from "../queries.ts";

/* What a sign-in checks and does, whichever provider knows the password. */

/** One attempt at a member's password. */
export type SignInAttempt = {
  account: Awaited<ReturnType<typeof findAccount>>;
  /** Records a wrong password. */
  note: () => Promise<void>;
  /** Records a wrong password and throws INVALID_CREDENTIALS. */
  fail: () => Promise<never>;
  /** Gives the attempt back to the limits, because the password was right. */
  succeed: () => Promise<void>;
};

/** Begins an attempt at a password, unless there were too many. Throws BOT_CHECK_FAILED and TOO_MANY_ATTEMPTS. */
export async function beginAttempt(
  deps: Deps,
  { email, turnstileToken }: Pick<LoginInput, "email" | "turnstileToken">,
  client: Client,
): Promise<SignInAttempt> {
  await deps.limits.take(LIMITS.signInByClient, limitKeyOf(client.address));
  await deps.botCheck.verify(turnstileToken, client);
  return takeAttempt(deps, email, client);
}

/** Begins an attempt by somebody who is signed in already, so without a bot check. Throws TOO_MANY_ATTEMPTS. */
export async function beginReauthentication(deps: Deps, email: string, client: Client): Promise<SignInAttempt> {
  await deps.limits.take(LIMITS.signInByClient, limitKeyOf(client.address));
  return takeAttempt(deps, email, client);
}

async function takeAttempt(deps: Deps, email: string, client: Client): Promise<SignInAttempt> {
  const key = emailKey(email);
  const account = await findAccount(deps.db, key, client.deviceHash);
  const { rule, subject } = limitOf(key, client, account?.isKnownDevice ?? false);
  await deps.limits.take(rule, subject);
  const note = () => recordEvent(deps, { userId: account?.id, kind: "sign-in-failed", client });
  return {
    account,
    note,
    succeed: () => deps.limits.release(rule, subject),
    async fail() {
      await note();
      return refuseCredentials();
    },
  };
}

/**
 * Returns the limit for an attempt. A browser that the member has used before has its own, which nobody elsewhere can
 * use up.
 */
function limitOf(key: string, { deviceHash }: Client, isKnownDevice: boolean) {
  return isKnownDevice && deviceHash
    ? { rule: LIMITS.signInByDevice, subject: `${key} ${deviceHash.toString("hex")}` }
    : { rule: LIMITS.signInByAccount, subject: key };
}

type SignedIn = {
  userId: string;
  email: string;
  client: Client;
  providerSession?: ProviderSession | undefined;
  byPassword?: boolean | undefined;
};

/**
 * Starts a session for somebody who has shown that they are the member, and mails the member about a new browser.
 * Throws FORBIDDEN for a blocked member.
 */
export async function signIn({ now, outbox }: Deps, tx: Tx, signedIn: SignedIn): Promise<string> {
  const { userId, email, client, providerSession, byPassword } = signedIn;
  await refuseBlocked(tx, userId);
  const scope = { db: tx, now };
  const { token, isNewDevice } = await startSession(scope, { userId, client, providerSession, byPassword });
  await recordEvent(scope, { userId, kind: isNewDevice ? "signed-in-on-new-device" : "signed-in", client });
  if (isNewDevice) {
    const notice = emails.newDevice(email, { device: nameDevice(client.userAgent), at: now() });
    await outbox.post(tx, notice);
  }
  return token;
}

/** Throws INVALID_CREDENTIALS, in the same words for an unknown address and for a wrong password. */
export function refuseCredentials(): never {
  throw new AppError("INVALID_CREDENTIALS", "That email and password do not match.");
}
