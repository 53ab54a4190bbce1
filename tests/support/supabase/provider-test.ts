import { setImmediate } from "node:timers/promises";
import * as contract from "../../../server/auth/contract.ts";
import { PROVIDER_SESSIONS, type Supabase } from "../../../server/auth/provider/supabase-client.ts";
import type { Logger } from "../../../server/log/log.ts";
import { readUser } from "../../../server/profile/contract.ts";
import { createSeal } from "../../../server/secrets/seal.ts";
import { createTestApi, createTestClock } from "../api/api.ts";
import { createMailbox } from "../api/mailbox.ts";
import type { Database } from "../../../server/db/client.ts";
import { createTestDatabase } from "../database/test-database.ts";
import { startSupabase } from "./start-supabase.ts";

export const PASSWORD = "a pass phrase of mine";
export const OTHER_PASSWORD = "another pass phrase";

const MINUTE = 60_000;

/**
 * Waits for work however long it takes, so that every failure is known in time. Waits one more turn, in which it is
 * reported.
 */
async function untilDone(work: Promise<unknown>) {
  await Promise.allSettled([work]);
  await setImmediate();
}

/** Creates the API with Supabase as provider, and functions for what people do with it. */
export async function createProviderTest({ log, database: given }: { log?: Logger; database?: Database } = {}) {
  const database = given ?? (await createTestDatabase());
  // In the past, so that a grace period which has ended by this clock has ended by the database's clock too.
  const clock = createTestClock("2026-01-20T12:00:00.000Z");
  const supabase = await startSupabase(clock.now);
  const { url, anonKey } = supabase;
  const seal = createSeal(["a secret of the tests, long enough for a key"], PROVIDER_SESSIONS);
  // With the slash with which a browser shows and copies an address.
  const provider = { url: `${url}/`, anonKey, seal, equalTime: untilDone };
  const openApi = (given: Supabase) =>
    createTestApi(database, { now: clock.now, supabase: given, ...(log && { log }) });
  const api = openApi(provider);
  let people = 0;

  const newAddress = () => `person-${++people}@nodebeat.test`;

  /** Fills in a form, long enough after the last email for another one. */
  async function fillIn<Body extends object>(body: Body) {
    const { turnstileToken } = await api.read(contract.issueBotCheck);
    clock.advance(MINUTE);
    return { body: { ...body, turnstileToken } };
  }

  async function signUp(email = newAddress(), more: { referralCode?: string; password?: string } = {}) {
    const { signupToken } = await api.read(contract.signUp, await fillIn({ email, password: PASSWORD, ...more }));
    return { email, signupToken, mail: await supabase.mailTo(email) };
  }

  async function join(address = newAddress()) {
    const { email, signupToken: token, mail } = await signUp(address);
    const { accessToken, user } = await api.read(contract.verify, { body: { token, verificationCode: mail.code } });
    return { email, token: accessToken, user };
  }

  /** Creates a user at Supabase who has not signed in here yet. */
  async function joinSupabase(email = newAddress()) {
    supabase.signUp(email, PASSWORD);
    const { tokenHash } = await supabase.mailTo(email);
    supabase.verify({ token_hash: tokenHash, type: "signup" });
    return email;
  }

  const signIn = async (email: string, password = PASSWORD) =>
    api.call(contract.login, await fillIn({ email, password }));

  async function signedIn(email: string, password = PASSWORD) {
    const { access_token } = await api.read(contract.login, await fillIn({ email, password }));
    return access_token;
  }

  async function requestReset(email: string) {
    const { resetToken } = await api.read(contract.forgotPassword, await fillIn({ email }));
    return resetToken;
  }

  /** Opens the recovery link, which comes with the last of `mails` emails to this address. */
  async function openRecovery(email: string, mails = 2) {
    await requestReset(email);
    const { tokenHash: token } = await supabase.mailTo(email, mails);
    return (await api.read(contract.openRecovery, { body: { token } })).recoveryToken;
  }

  return {
    api,
    /** The same API, but a test decides when to send answers that could reveal an address. */
    withTime: (equalTime: NonNullable<Supabase["equalTime"]>) => openApi({ ...provider, equalTime }),
    clock,
    database,
    supabase,
    mailbox: createMailbox(api.deps),
    newAddress,
    fillIn,
    signUp,
    join,
    joinSupabase,
    signIn,
    signedIn,
    requestReset,
    openRecovery,
    isSignedIn: async (token: string) => (await api.call(readUser, { token })).status === 200,
    async close() {
      await database.close();
      await supabase.close();
    },
  };
}
