import { afterAll, beforeEach, expect, test } from "vitest";
import { BY_OPERATOR } from "../../../tests/support/api/administration.ts";
import { createProviderTest, OTHER_PASSWORD, PASSWORD } from "../../../tests/support/supabase/provider-test.ts";
import { requestDeletion } from "../../account-data/contract.ts";
import { addAdministrator } from "../../administration/service.ts";
import { readStanding } from "../../fresh-password/contract.ts";
import { logout } from "../../sessions/contract.ts";
import { changePassword, resetPassword } from "../contract.ts";
import { openAuthProvider } from "./open.ts";
import { sealSession } from "./supabase-sessions.ts";

/* What becomes of the Supabase sessions behind ours if one of the two has ended, or Supabase cannot be reached. */

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const scene = await createProviderTest();
const { api, clock, database, supabase } = scene;
const provider = openAuthProvider(api.deps);

beforeEach(() => {
  supabase.breakDown(false);
  supabase.refuse();
});
afterAll(() => scene.close());

/** Tokens that Supabase never issued, and refuses. */
const NO_TOKENS = { access_token: "no token", refresh_token: "none" };

/** Returns how many sessions have ended here but not yet at Supabase. */
async function countWaiting() {
  const waiting = "select from sessions where revoked_at is not null and provider_session is not null";
  return (await database.pool.query(waiting)).rowCount;
}

test("a session that Supabase failed to end is ended there once Supabase works again", async () => {
  const { token } = await scene.join();
  const before = supabase.sessions.size;
  supabase.breakDown();
  await api.read(logout, { token });
  await provider.release();
  expect(await countWaiting()).toBe(1);
  supabase.breakDown(false);
  await provider.release();
  expect([await countWaiting(), supabase.sessions.size]).toEqual([0, before - 1]);
});

test("a session that Supabase has ended, or whose tokens are unreadable, does not stay queued forever", async () => {
  const [ended, unreadable] = [await scene.join(), await scene.join()];
  supabase.endEverySession();
  const spoil = "update sessions set provider_session = sha256('another') where user_id = $1";
  await database.pool.query(spoil, [unreadable.user.id]);
  for (const { token } of [ended, unreadable]) await api.read(logout, { token });
  await provider.release();
  expect(await countWaiting()).toBe(0);
});

test("sessions that Supabase refuses to end do not block the others, even in a long queue", async () => {
  const { email, user } = await scene.join();
  for (let index = 0; index < 40; index++) await scene.signedIn(email);
  const { rows } = await database.pool.query<{ id: string }>(
    "update sessions set revoked_at = created_at where user_id = $1 returning id",
    [user.id],
  );
  expect(rows).toHaveLength(41);
  const first = rows
    .map(({ id }) => id)
    .toSorted()
    .slice(0, 20);
  for (const id of first) {
    const sealed = api.deps.supabase && sealSession(api.deps.supabase.seal, id, NO_TOKENS);
    await database.pool.query("update sessions set provider_session = $1 where id = $2", [sealed, id]);
  }
  await provider.release();
  expect(await countWaiting()).toBe(20);
});

test("a sign-out ends its own session at Supabase and leaves older ones to the housekeeping", async () => {
  const { email, user } = await scene.join();
  const ended = "update sessions set revoked_at = $1 where user_id = $2";
  await database.pool.query(ended, [clock.now(), user.id]);
  const token = await scene.signedIn(email);
  const before = { waiting: (await countWaiting()) ?? 0, sessions: supabase.sessions.size };
  clock.advance(2 * MINUTE);
  await api.read(logout, { token });
  await provider.release(MINUTE);
  expect([await countWaiting(), supabase.sessions.size]).toEqual([before.waiting, before.sessions - 1]);
  await provider.release();
  expect([await countWaiting(), supabase.sessions.size]).toEqual([before.waiting - 1, before.sessions - 2]);
});

test("if the secret is lost, a session ends once its token is due, and a recovery counts as expired", async () => {
  const { email, token, user } = await scene.join();
  const recovery = { token: await scene.openRecovery(email), password: OTHER_PASSWORD };
  for (const table of ["sessions", "password_resets"])
    await database.pool.query(`update ${table} set provider_session = sha256('another') where user_id = $1`, [user.id]);
  const reset = await api.call(resetPassword, { body: recovery });
  expect(reset).toMatchObject({ status: 410, body: { error: "EXPIRED" } });
  clock.advance(HOUR);
  expect(await scene.isSignedIn(token)).toBe(false);
});

test("a session whose renewal Supabase rate limits continues, and is renewed later", async () => {
  const { token } = await scene.join();
  clock.advance(HOUR);
  supabase.refuse({ call: "POST /token", status: 429, code: "over_request_rate_limit" });
  expect(await scene.isSignedIn(token)).toBe(true);
  supabase.refuse();
  supabase.takeRequests();
  expect([await scene.isSignedIn(token), supabase.takeRequests()]).toEqual([true, []]);
  clock.advance(2 * MINUTE);
  expect(await scene.isSignedIn(token)).toBe(true);
  expect(supabase.takeRequests()).toEqual(["POST /token"]);
});

test("a session survives a renewal that runs while its member changes the password", async () => {
  const { token } = await scene.join();
  clock.advance(HOUR);
  const renewal = supabase.hold("POST /token");
  const reading = scene.isSignedIn(token);
  await renewal.done;
  const passwords = { currentPassword: PASSWORD, password: OTHER_PASSWORD };
  await api.read(changePassword, { token, body: passwords });
  renewal.release();
  expect(await reading).toBe(true);
  clock.advance(HOUR);
  expect(await scene.isSignedIn(token)).toBe(true);
});

test("a user banned at Supabase is signed out here and cannot sign in", async () => {
  const { email, token } = await scene.join();
  clock.advance(HOUR);
  supabase.refuse({ call: "POST /token", status: 403, code: "user_banned" });
  expect(await scene.isSignedIn(token)).toBe(false);
  expect(await scene.signIn(email)).toMatchObject({ status: 401, body: { error: "INVALID_CREDENTIALS" } });
});

test.each(["refresh_token_already_used", "session_expired", "user_not_found"])(
  "a session ends if Supabase refuses its renewal with %s",
  async (code) => {
    const { token } = await scene.join();
    clock.advance(HOUR);
    supabase.refuse({ call: "POST /token", status: 400, code });
    expect(await scene.isSignedIn(token)).toBe(false);
  },
);

test("an administrator must enter the password again after a mailed code, but not after a sign-in", async () => {
  const { email, token, user } = await scene.join();
  await addAdministrator(api.deps, BY_OPERATOR, { member: user.id });
  const untilIn = async (session: string) => (await api.read(readStanding, { token: session })).passwordUntil;
  expect(await untilIn(token)).toBeNull();
  expect(await untilIn(await scene.signedIn(email))).not.toBeNull();
});

test("confirming with the password leaves the sessions at Supabase unchanged", async () => {
  const { email, token } = await scene.join();
  await scene.signedIn(email);
  const before = [...supabase.sessions];
  const body = { password: PASSWORD, understood: true };
  expect(await api.call(requestDeletion, { token, body })).toMatchObject({ status: 200 });
  expect([...supabase.sessions]).toEqual(before);
});
