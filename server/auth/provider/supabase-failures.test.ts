import { afterAll, beforeEach, expect, test } from "vitest";
import { createProviderTest, PASSWORD } from "../../../tests/support/supabase/provider-test.ts";
import { createEmbeddedProvider } from "./embedded.ts";
import * as contract from "../contract.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const scene = await createProviderTest();
const { api, clock, mailbox, supabase } = scene;
const { fillIn, join, newAddress, signUp, signIn, isSignedIn } = scene;

beforeEach(() => {
  supabase.breakDown(false);
  supabase.confirmUnseen(false);
});
afterAll(() => scene.close());

const refused = {
  status: 401,
  body: { error: "INVALID_CREDENTIALS", message: "That email and password do not match." },
};
const unavailable = {
  status: 503,
  body: { error: "UNAVAILABLE", message: "This does not work right now. Please try again in a moment." },
};

test("a wrong password, an unknown address and an unconfirmed one get the same response", async () => {
  const { email } = await join();
  const { email: unconfirmed } = await signUp();
  expect(await signIn(email, "not the password")).toMatchObject(refused);
  expect(await signIn(newAddress(), PASSWORD)).toMatchObject(refused);
  expect(await signIn(unconfirmed, PASSWORD)).toMatchObject(refused);
});

test("a sign-up with a taken address gets the usual response, and its owner an email that says so", async () => {
  const { email } = await join();
  const taken = await api.call(contract.signUp, await fillIn({ email, password: "somebody else's" }));
  const free = await api.call(contract.signUp, await fillIn({ email: newAddress(), password: PASSWORD }));
  expect(taken.status).toBe(free.status);
  expect(Object.keys(taken.body as object)).toEqual(Object.keys(free.body as object));
  expect(await mailbox.read(email)).toMatchObject({ subject: "You already have an account" });
});

test("an address that Supabase has just emailed gets the usual response", async () => {
  const { email } = await signUp();
  const input = await fillIn({ email, password: PASSWORD });
  clock.advance(-30_000);
  expect(await api.call(contract.signUp, input)).toMatchObject({ status: 200 });
  const { email: member } = await join();
  await api.read(contract.forgotPassword, await fillIn({ email: member }));
  const again = await fillIn({ email: member });
  clock.advance(-30_000);
  expect(await api.call(contract.forgotPassword, again)).toMatchObject({ status: 200 });
  const unknown = await api.call(contract.forgotPassword, await fillIn({ email: newAddress() }));
  expect(unknown).toMatchObject({ status: 200 });
});

test("a password that Supabase rejects gets a message for its field", async () => {
  const input = await fillIn({ email: newAddress(), password: "CAPITALS ALONE" });
  expect(await api.call(contract.signUp, input)).toMatchObject({
    status: 400,
    body: { fields: { password: ["That password is too easy to guess. Choose another."] } },
  });
});

test("while Supabase is unreachable, every form responds 503 and nobody is signed out", async () => {
  const { email, token } = await join();
  const { signupToken } = await signUp();
  supabase.breakDown();
  clock.advance(HOUR);
  expect(await isSignedIn(token)).toBe(true);
  const body = { token: signupToken, verificationCode: "123456" };
  expect(await signIn(email)).toMatchObject(unavailable);
  expect(await api.call(contract.signUp, await fillIn({ email: newAddress(), password: PASSWORD }))).toMatchObject(
    unavailable,
  );
  expect(await api.call(contract.verify, { body })).toMatchObject(unavailable);
  expect(await api.call(contract.forgotPassword, await fillIn({ email }))).toMatchObject(unavailable);

  supabase.breakDown(false);
  clock.advance(2 * MINUTE);
  expect(await isSignedIn(token)).toBe(true);
  expect(await signIn(email)).toMatchObject({ status: 200 });
});

test("a Supabase project that skips email confirmation lets no new user in", async () => {
  const { email } = await join();
  const squatter = await scene.joinSupabase();
  supabase.confirmUnseen();
  expect(await signIn(squatter)).toMatchObject({ status: 503, body: { error: "UNAVAILABLE" } });
  expect(await signIn(email)).toMatchObject({ status: 200 });
});

test("a Supabase project that skips email confirmation changes no member's address", async () => {
  const { email: former } = await join();
  const email = newAddress();
  supabase.changeAddress(former, email);
  supabase.confirmUnseen();
  expect(await signIn(email)).toMatchObject({ status: 503, body: { error: "UNAVAILABLE" } });
  supabase.confirmUnseen(false);
  expect(await signIn(email)).toMatchObject({ status: 200, body: { user: { email } } });
});

test("a session that Supabase issued ends if the server now uses its own provider", async () => {
  const { user } = await join();
  const embedded = createEmbeddedProvider(api.deps);
  const session = { userId: user.id, sessionId: user.id, providerExpiresAt: clock.now() };
  expect(await embedded.refresh(session)).toBe("ended");
});
