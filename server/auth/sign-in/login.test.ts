import { hash } from "@node-rs/argon2";
import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { BY_OPERATOR } from "../../../tests/support/api/administration.ts";
import { createTestApi, fillForm, seedMember, TEST_PASSWORD } from "../../../tests/support/api/api.ts";
import { createTakenHasher } from "../../../tests/support/api/taken-hasher.ts";
import { openTestApi } from "../../../tests/support/api/open-test-api.ts";
import { addAdministrator } from "../../administration/service.ts";
import { sessions, users } from "../../db/schema.ts";
import { inTransaction } from "../../db/transaction.ts";
import { AppError } from "../../errors.ts";
import { readStanding } from "../../fresh-password/contract.ts";
import { readUser } from "../../profile/contract.ts";
import { setAddress } from "../address.ts";
import { login } from "../contract.ts";
import { createPasswordHasher, type PasswordHasher } from "../password/password-hasher.ts";

const { api, clock, database } = await openTestApi();
const email = "Ada@Nodebeat.test";

const signIn = async (input: object, headers?: Record<string, string>) =>
  api.call(login, {
    body: { email, password: TEST_PASSWORD, turnstileToken: await fillForm(api, clock), ...input },
    headers,
  });

// specification: 1.1, 3.6, 7.7
test("signs in, and the token gives access to the member's data", async () => {
  const { user } = await seedMember(api.deps, { email });
  const turnstileToken = await fillForm(api, clock);

  const answer = await api.read(login, { body: { email, password: TEST_PASSWORD, turnstileToken } });

  expect(answer).toEqual({ access_token: expect.stringMatching(/^nbs_[\w-]{43}$/), user });
  expect(await api.read(readUser, { token: answer.access_token })).toEqual(user);
});

test("an administrator who signs in need not enter the password again", async () => {
  const { user } = await seedMember(api.deps, { email });
  await addAdministrator(api.deps, BY_OPERATOR, { member: user.id });
  const body = { email, password: TEST_PASSWORD, turnstileToken: await fillForm(api, clock) };
  const { access_token: token } = await api.read(login, { body });
  expect((await api.read(readStanding, { token })).passwordUntil).not.toBeNull();
});

test("ignores case and surrounding spaces in the address", async () => {
  await seedMember(api.deps, { email });
  expect(await signIn({ email: "  aDA@nodebeat.TEST " })).toMatchObject({ status: 200, body: { user: { email } } });
});

test.for([
  ["spaces around it", ` ${TEST_PASSWORD} `, TEST_PASSWORD],
  ["another case", "Correct Horse", "correct horse"],
  ["another character", "café noir", "cafe noir"],
])("compares the password exactly: %s makes it wrong", async ([, password, similar]) => {
  await seedMember(api.deps, { email, password: password ?? "" });
  expect(await signIn({ password })).toMatchObject({ status: 200 });
  expect(await signIn({ password: similar })).toMatchObject({ status: 401 });
});

test.each(["k7-Q2x9!", "🦊".repeat(8)])("accepts %s as a password of eight characters", async (password) => {
  await seedMember(api.deps, { email, password });
  expect(await signIn({ password })).toMatchObject({ status: 200 });
});

test("accepts the password however the keyboard composes its characters", async () => {
  await seedMember(api.deps, { email, password: "cafe\u0301 noir" });
  expect(await signIn({ password: "caf\u00e9 noir" })).toMatchObject({ status: 200 });
});

test("a password does not expire, even after ten years", async () => {
  const tenYearsAgo = createTestApi(database, { now: () => new Date("2016-11-20T12:00:00.000Z") });
  await seedMember(tenYearsAgo.deps, { email });
  expect(await signIn({})).toMatchObject({ status: 200 });
});

test("responds the same to a wrong password and an unknown address, headers included", async () => {
  await seedMember(api.deps, { email });

  const wrong = await signIn({ password: "not the password" });
  const unknown = await signIn({ email: "nobody@nodebeat.test" });

  expect(wrong.status).toBe(401);
  expect(wrong.body).toEqual({
    message: "That email and password do not match.",
    error: "INVALID_CREDENTIALS",
    statusCode: 401,
  });
  expect(unknown.status).toBe(401);
  expect(unknown.body).toEqual(wrong.body);
  expect([...unknown.headers]).toEqual([...wrong.headers]);
});

// specification: 5.1, 5.2, 5.3
test.for<[string, object, object]>([
  ["no email", { email: undefined }, { email: ["Enter your email."] }],
  ["no address", { email: "ada" }, { email: ["Enter a valid email."] }],
  ["a short password", { password: "1234567" }, { password: ["Use at least 8 characters."] }],
  ["seven characters", { password: "🦊".repeat(7) }, { password: ["Use at least 8 characters."] }],
  ["no bot check", { turnstileToken: undefined }, { turnstileToken: ["The bot check is missing."] }],
])("refuses %s with a message for the field", async ([, input, fields]) => {
  expect(await signIn(input)).toMatchObject({ status: 400, body: { error: "VALIDATION_ERROR", fields } });
});

test("rejects a body that is not JSON", async () => {
  expect(await api.call(login, { body: "{" })).toMatchObject({ status: 400, body: { error: "VALIDATION_ERROR" } });
  const form = { "Content-Type": "application/x-www-form-urlencoded" };
  expect(await api.call(login, { body: "email=ada", headers: form })).toMatchObject({ status: 415 });
});

test("refuses other methods and names the right one", async () => {
  const { headers, status } = await api.call("GET /api/login");
  expect(status).toBe(405);
  expect(headers.get("Allow")).toBe("POST");
});

// specification: 7.1
test("requires the API key if one is configured", async () => {
  const guarded = createTestApi(database, { now: clock.now, env: { authApiKey: "the key" } });
  await seedMember(guarded.deps, { email });
  const body = { email, password: TEST_PASSWORD, turnstileToken: await fillForm(api, clock) };

  const refusal = { status: 401, body: { error: "INVALID_API_KEY" } };
  expect(await guarded.call(login, { body })).toMatchObject(refusal);
  expect(await guarded.call(login, { body, headers: { "x-api-key": "another key" } })).toMatchObject(refusal);
  expect(await guarded.call(login, { body, headers: { "x-api-key": "the key" } })).toMatchObject({ status: 200 });
});

test("a bot-check token works for only one attempt, even if that fails", async () => {
  await seedMember(api.deps, { email });
  const turnstileToken = await fillForm(api, clock);
  expect(await signIn({ turnstileToken, password: "not the password" })).toMatchObject({ status: 401 });

  expect(await signIn({ turnstileToken })).toMatchObject({
    status: 422,
    body: { error: "BOT_CHECK_FAILED", message: "This form was already sent. Please try again." },
  });
});

test("only one of several concurrent attempts with one bot-check token passes", async () => {
  await seedMember(api.deps, { email });
  const body = { email, password: TEST_PASSWORD, turnstileToken: await fillForm(api, clock) };
  const before = await database.db.$count(sessions);

  const answers = await Promise.all(Array.from({ length: 5 }, () => api.call(login, { body })));

  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  const refusal = { error: "BOT_CHECK_FAILED", message: "This form was already sent. Please try again." };
  const refused = answers.filter(({ status }) => status === 422);
  expect(refused).toMatchObject(Array.from({ length: 4 }, () => ({ body: refusal })));
  expect(await database.db.$count(sessions)).toBe(before + 1);
});

test("responds 503 with Retry-After while the hasher is full, and the same form works later", async () => {
  const { passwords, whenFree } = createTakenHasher();
  const busy = createTestApi(database, { now: clock.now, passwords });
  await seedMember(api.deps, { email });
  const body = { email, password: TEST_PASSWORD, turnstileToken: await fillForm(api, clock) };

  const refused = await busy.call(login, { body });
  await whenFree();

  expect(refused).toMatchObject({ status: 503, body: { error: "UNAVAILABLE" } });
  expect(Number(refused.headers.get("Retry-After"))).toBeGreaterThan(0);
  expect(await busy.call(login, { body })).toMatchObject({ status: 200 });
});

test("hashes for an unknown address too: with room for one hash, one of two sign-ins gets 503", async () => {
  const oneAtOnce = createPasswordHasher({ memoryKib: 64, concurrent: 1, waiting: 0 });
  const both = Promise.withResolvers<void>();
  let arrived = 0;
  const passwords: PasswordHasher = {
    ...oneAtOnce,
    async verify(...input) {
      arrived += 1;
      if (arrived === 2) both.resolve();
      await both.promise;
      return oneAtOnce.verify(...input);
    },
  };
  const busy = createTestApi(database, { now: clock.now, passwords });
  const forms = [await fillForm(api, clock), await fillForm(api, clock)];
  const answers = await Promise.all(
    forms.map((turnstileToken, index) =>
      busy.call(login, { body: { email: `nobody-${index}@nodebeat.test`, password: TEST_PASSWORD, turnstileToken } }),
    ),
  );
  expect(answers.map(({ status }) => status).sort((a, b) => a - b)).toEqual([401, 503]);
});

const refuse = () => Promise.reject(new AppError("UNAVAILABLE", "No room."));
const weak = { memoryCost: 1024, timeCost: 1 };

async function storedHash(id: string) {
  const [row] = await database.db.select({ hash: users.passwordHash }).from(users).where(eq(users.id, id));
  return row?.hash;
}

test("upgrades a hash made with other parameters when the password is right", async () => {
  const { user } = await seedMember(api.deps, { email, passwordHash: await hash(TEST_PASSWORD, weak) });

  expect(await signIn({ password: "not the password" })).toMatchObject({ status: 401 });
  expect(await storedHash(user.id)).toContain("m=1024,");
  expect(await signIn({})).toMatchObject({ status: 200 });
  expect(await storedHash(user.id)).toContain("$argon2id$v=19$m=64,t=1,p=1$");
  expect(await signIn({})).toMatchObject({ status: 200 });
});

test("concurrent sign-ins that all upgrade the hash all succeed", async () => {
  await seedMember(api.deps, { email, passwordHash: await hash(TEST_PASSWORD, weak) });
  const answers = await Promise.all([signIn({}), signIn({}), signIn({})]);
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
});

test("a sign-in that cannot upgrade the hash accepts one that was upgraded in the meantime", async () => {
  const { user } = await seedMember(api.deps, { email, passwordHash: await hash(TEST_PASSWORD, weak) });
  const { passwords } = api.deps;
  const renewed = await passwords.hash(TEST_PASSWORD);
  const busy = createTestApi(database, {
    now: clock.now,
    passwords: {
      ...passwords,
      async hash() {
        await database.db.update(users).set({ passwordHash: renewed }).where(eq(users.id, user.id));
        return refuse();
      },
    },
  });
  const body = { email, password: TEST_PASSWORD, turnstileToken: await fillForm(api, clock) };
  expect(await busy.call(login, { body })).toMatchObject({ status: 200 });
  expect(await storedHash(user.id)).toBe(renewed);
});

test("a sign-in is rejected and overwrites nothing if the password changes in the meantime", async () => {
  const { user } = await seedMember(api.deps, { email, passwordHash: await hash(TEST_PASSWORD, weak) });
  const { passwords } = api.deps;
  const changed = await passwords.hash("the new password");
  const slow = createTestApi(database, {
    now: clock.now,
    passwords: {
      ...passwords,
      async hash(password) {
        await database.db.update(users).set({ passwordHash: changed }).where(eq(users.id, user.id));
        return passwords.hash(password);
      },
    },
  });

  const body = { email, password: TEST_PASSWORD, turnstileToken: await fillForm(api, clock) };
  expect(await slow.call(login, { body })).toMatchObject({ status: 401, body: { error: "INVALID_CREDENTIALS" } });
  expect(await storedHash(user.id)).toBe(changed);
});

test("a sign-in leaves no session if its address changes in the meantime", async () => {
  const { user } = await seedMember(api.deps, { email });
  const before = await database.db.$count(sessions);
  const move = { userId: user.id, email: "ada@elsewhere.test", now: clock.now() };
  const { passwords } = api.deps;
  const verify: PasswordHasher["verify"] = async (hash, given) => {
    const isRight = await passwords.verify(hash, given);
    await inTransaction(database.db, (tx) => setAddress(api.deps, tx, move));
    return isRight;
  };
  const slow = createTestApi(database, { now: clock.now, passwords: { ...passwords, verify } });
  const body = { email, password: TEST_PASSWORD, turnstileToken: await fillForm(api, clock) };
  expect(await slow.call(login, { body })).toMatchObject({ status: 401, body: { error: "INVALID_CREDENTIALS" } });
  expect(await database.db.$count(sessions)).toBe(before);
});

test("signs in with the old hash if the hasher has no room to upgrade it", async () => {
  await seedMember(api.deps, { email, passwordHash: await hash(TEST_PASSWORD, weak) });
  const busy = createTestApi(database, { now: clock.now, passwords: { ...api.deps.passwords, hash: refuse } });

  const body = { email, password: TEST_PASSWORD, turnstileToken: await fillForm(api, clock) };

  expect(await busy.call(login, { body })).toMatchObject({ status: 200 });
});
