import { afterAll, afterEach, expect, test } from "vitest";
import { createProviderTest } from "../../../tests/support/supabase/provider-test.ts";
import * as contract from "../contract.ts";

/* A server in front of a project, or at its address, may send any response. */

const scene = await createProviderTest();
const { api, clock, supabase } = scene;
const { join, signUp, signIn, isSignedIn } = scene;
afterEach(() => supabase.garble());
afterAll(() => scene.close());

/** A user who would be let in. */
const user = {
  id: "3f8f0f0e-6a56-4ad6-9e0c-0e8a3f1e9b11",
  email: "ada@nodebeat.test",
  email_confirmed_at: "2026-01-01T00:00:00Z",
};
const session = { access_token: "a", refresh_token: "r", token_type: "bearer", expires_in: 3600, user };

const GARBAGE: [string, unknown][] = [
  ["nothing", null],
  ["a text", "welcome"],
  ["a list", []],
  ["no time", { ...session, expires_in: "soon" }],
  ["an expiry far in the future", { ...session, expires_in: 1e15 }],
  ["an expiry in the past", { ...session, expires_in: -1 }],
  ["no user", { ...session, user: undefined }],
  ["a user without an id", { ...session, user: { ...user, id: "ada" } }],
  ["a user whose id is a list", { ...session, user: { ...user, id: [user.id] } }],
  ["an address with a null character", { ...session, user: { ...user, email: "ada\0@nodebeat.test" } }],
  ["an address with a control character", { ...session, user: { ...user, email: "ada\u0007@nodebeat.test" } }],
  ["an address that is a number", { ...session, user: { ...user, email: 5 } }],
  ["an address that nobody has confirmed", { ...session, user: { ...user, email_confirmed_at: null } }],
  ["no address", { ...session, user: { ...user, email: "" } }],
  ["a response that is too large", { ...session, more: "x".repeat(2 * 1024 * 1024) }],
  ["tokens that are lists", { ...session, access_token: ["a"], refresh_token: ["r"] }],
];

const unavailable = { status: 503, body: { error: "UNAVAILABLE" } };

test.for(GARBAGE)("a sign-in responds 503 if Supabase returns %s", async ([, body]) => {
  supabase.garble("POST /token", body);
  expect(await signIn(scene.newAddress())).toMatchObject(unavailable);
});

test.for(GARBAGE)("a code can be entered again if Supabase returned %s for it", async ([, body]) => {
  const { signupToken: token, mail } = await signUp();
  const entered = { body: { token, verificationCode: mail.code } };
  supabase.garble("POST /verify", body);
  expect(await api.call(contract.verify, entered)).toMatchObject(unavailable);
  supabase.garble();
  expect(await api.call(contract.verify, entered)).toMatchObject({ status: 200 });
});

test("a renewal that Supabase answers with null signs nobody out", async () => {
  const { token } = await join();
  clock.advance(60 * 60_000);
  supabase.garble("POST /token", null);
  expect(await isSignedIn(token)).toBe(true);
  expect(await isSignedIn(token)).toBe(true);
});

test("a reset that Supabase answers with null cannot be retried, because the password may have been set", async () => {
  const { email } = await join();
  const token = await scene.openRecovery(email);
  const reset = () => api.call(contract.resetPassword, { body: { token, password: "another pass phrase" } });
  supabase.garble("PUT /user", null);
  expect(await reset()).toMatchObject(unavailable);
  supabase.garble();
  expect(await reset()).toMatchObject({ status: 410, body: { error: "ALREADY_USED" } });
});

test("a sign-up and a reset request respond 503 if Supabase returns null", async () => {
  const { email } = await join();
  supabase.garble("POST /signup", null);
  const body = await scene.fillIn({ email: scene.newAddress(), password: "a pass phrase" });
  expect(await api.call(contract.signUp, body)).toMatchObject(unavailable);
  supabase.garble("POST /recover", null);
  expect(await api.call(contract.forgotPassword, await scene.fillIn({ email }))).toMatchObject(unavailable);
});

test.for(["POST /token", "GET /settings"] as const)("a redirect from %s is not followed", async (call) => {
  const email = await scene.joinSupabase();
  supabase.takeRequests();
  supabase.garble(call, Response.redirect(`${supabase.url}/auth/v1/elsewhere`, 307));
  expect(await signIn(email)).toMatchObject(unavailable);
  expect(supabase.takeRequests().at(-1)).toBe(call);
});
