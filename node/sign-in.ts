import { randomUUID } from "node:crypto";
import { issueBotCheck, login, type LoginResult } from "../server/auth/contract.ts";
import { logout } from "../server/sessions/contract.ts";
import { registerDevice } from "../server/heartbeats/contract.ts";
import { CallFailed, type Caller } from "./call.ts";
import type { Device } from "./device-file.ts";
import { retry, type RetryContext } from "./retry.ts";

/** How many bot checks may fail before somebody has to look. */
const BOT_CHECKS = 3;

export type Account = { email: string; password: string; name: string };

/** How many times to try to sign out. Sessions also expire without it. */
const SIGN_OUTS = 3;

/**
 * Signs in once and has the server create a key for this machine. After that the password is not needed again, nor the
 * sign-in once the key is saved. Waits for a server that is down or busy. Throws CallFailed if the server refuses.
 */
export async function signIn(call: Caller, account: Account, context: RetryContext) {
  const { access_token: token, user } = await startSession(call, account, context);
  // With this id, the request makes one machine, however often it is repeated.
  const body = { id: randomUUID(), name: account.name };
  const { deviceId, deviceKey } = await retry(context, () => call(registerDevice, { body, token }));
  const device: Device = { email: user.email, deviceId, deviceKey };
  return { device, signOut: () => signOut(call, token, context) };
}

async function signOut(call: Caller, token: string, context: RetryContext) {
  try {
    await retry(context, () => call(logout, { token }), SIGN_OUTS);
  } catch (error) {
    // Also if an answer was lost: then the session is over, and the server no longer knows it.
    if (!(error instanceof CallFailed)) throw error;
  }
}

async function startSession(call: Caller, { email, password }: Account, context: RetryContext): Promise<LoginResult> {
  for (let attempt = 1; ; attempt++) {
    const { turnstileToken } = await retry(context, () => call(issueBotCheck));
    try {
      // The server says how long a person needs for its form, and then accepts the same token.
      return await retry(context, () => call(login, { body: { email, password, turnstileToken } }));
    } catch (error) {
      const isSpent = error instanceof CallFailed && error.code === "BOT_CHECK_FAILED";
      if (!isSpent || attempt === BOT_CHECKS) throw error;
    }
  }
}
