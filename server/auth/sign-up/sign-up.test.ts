import { expect, test, vi } from "vitest";
import { createTestApi, fillForm, seedMember, TEST_PASSWORD } from "../../../tests/support/api/api.ts";
import { tokenOf } from "../../../tests/support/api/mailbox.ts";
import { createTakenHasher } from "../../../tests/support/api/taken-hasher.ts";
import { openTestApi } from "../../../tests/support/api/open-test-api.ts";
import { wrongCode } from "../../../tests/support/api/wrong-code.ts";
import { backgroundJobs, signUps, users } from "../../db/schema.ts";
import { readUser } from "../../profile/contract.ts";
import { checkUser, login, resendVerification, signUp, verify } from "../contract.ts";

const { api, clock, database, mailbox } = await openTestApi();
const { db } = api.deps;
const email = "Ada@Nodebeat.test";

const ask = async (input: object = {}, { call } = api) =>
  call(signUp, { body: { email, password: TEST_PASSWORD, turnstileToken: await fillForm(api, clock), ...input } });

// specification: 3.27
test("a mailed code verifies a sign-up and creates a member who can sign in", async () => {
  const turnstileToken = await fillForm(api, clock);
  const answer = await api.read(signUp, { body: { email, password: TEST_PASSWORD, turnstileToken } });
  expect(answer).toEqual({
    signupToken: expect.stringMatching(/^nbu_[\w-]{43}$/),
    resend: { state: "INITIAL", timestamp: clock.now().getTime(), duration: 60_000 },
  });
  expect(await db.$count(users)).toBe(0);

  const mail = await mailbox.read(email);
  expect(mail.subject).toBe("Confirm your email");
  expect(mail.code).toMatch(/^\d{6}$/);
  const body = { token: answer.signupToken, verificationCode: mail.code };
  const { accessToken, user } = await api.read(verify, { body });

  expect(user).toMatchObject({ email, invited_by: null });
  expect(await api.read(readUser, { token: accessToken })).toEqual(user);
  const again = { email, password: TEST_PASSWORD, turnstileToken: await fillForm(api, clock) };
  expect(await api.call(login, { body: again })).toMatchObject({ status: 200 });
});

test("accepts an address at an internationalized top-level domain", async () => {
  const far = "ada@xn--80a1acny.xn--p1ai";
  const { signupToken: token } = await api.read(signUp, {
    body: { email: far, password: TEST_PASSWORD, turnstileToken: await fillForm(api, clock) },
  });
  const { code: verificationCode } = await mailbox.read(far);
  const { user } = await api.read(verify, { body: { token, verificationCode } });
  expect(user.email).toBe(far);
  expect((await ask({ email: "ada@mail.xn--" })).status).toBe(400);
});

test("accepts the allowed special characters before the @ and rejects others", async () => {
  const team = "R&D.{o'neil}=~$#*^`@nodebeat.test";
  const { signupToken: token } = await api.read(signUp, {
    body: { email: team, password: TEST_PASSWORD, turnstileToken: await fillForm(api, clock) },
  });
  const { code: verificationCode } = await mailbox.read(team);
  const { user } = await api.read(verify, { body: { token, verificationCode } });
  expect(user.email).toBe(team);
  for (const local of [".ada", "ada.", "a..da", "a%b", "a!b", "a/b", "a|b", "=?x?q?ada?="])
    expect([local, (await ask({ email: `${local}@nodebeat.test` })).status]).toEqual([local, 400]);
});

test("the password does not sign in before the address is verified", async () => {
  await ask();
  const body = { email, password: TEST_PASSWORD, turnstileToken: await fillForm(api, clock) };
  expect(await api.call(login, { body })).toMatchObject({ status: 401 });
});

test("responds the same for an address that has an account, and tells only its owner", async () => {
  await seedMember(api.deps, { email });

  const taken = await ask({ email: "ada@nodebeat.test" });
  const free = await ask({ email: "bob@nodebeat.test" });

  expect([taken.status, free.status]).toEqual([200, 200]);
  expect(withoutSecrets(taken.body)).toEqual(withoutSecrets(free.body));
  expect([...taken.headers]).toEqual([...free.headers]);
  const mail = await mailbox.read(email);
  expect(mail.subject).toBe("You already have an account");
  expect(mail.code).toBeUndefined();
  expect(mail.html).not.toContain("verify");
  expect((await mailbox.read("bob@nodebeat.test")).subject).toBe("Confirm your email");
});

test("wrong codes and resends also respond the same for an address that has an account", async () => {
  await seedMember(api.deps, { email });
  const tokens = [signupTokenOf(await ask()), signupTokenOf(await ask({ email: "bob@nodebeat.test" }))];
  const { code: right = "" } = await mailbox.read("bob@nodebeat.test");
  const verificationCode = wrongCode(right);

  async function probe(token: string) {
    const attempts = [];
    for (let index = 0; index < 6; index++)
      attempts.push(await api.call(verify, { body: { token, verificationCode } }));
    attempts.push(await api.call(resendVerification, { body: { token } }));
    return attempts.map(({ status, body }) => ({ status, body }));
  }
  const [taken, free] = [await probe(tokens[0] ?? ""), await probe(tokens[1] ?? "")];

  // The two requests were 300 ms apart, less than the second to which a wait is rounded.
  expect(taken).toEqual(free);
  expect(taken.map(({ status }) => status)).toEqual([400, 400, 400, 400, 400, 429, 429]);
});

test("hashes exactly once, even if the address has an account", async () => {
  const { passwords } = api.deps;
  const hash = vi.fn<typeof passwords.hash>((password) => passwords.hash(password));
  const counted = createTestApi(database, { now: clock.now, passwords: { ...passwords, hash } });
  await seedMember(api.deps, { email: "taken@nodebeat.test" });

  for (const address of ["taken@nodebeat.test", "new@nodebeat.test"]) {
    hash.mockClear();
    await ask({ email: address }, counted);
    expect(hash).toHaveBeenCalledOnce();
  }
});

// specification: 7.44
test("check-user responds the same for a known and an unknown address", async () => {
  await seedMember(api.deps, { email });
  const [known, unknown] = await Promise.all(
    [email, "nobody@nodebeat.test"].map((address) => api.call(checkUser, { body: { email: address } })),
  );
  expect(known).toMatchObject({ status: 200, body: { success: true } });
  expect(unknown?.body).toEqual(known?.body);
  expect([...(unknown?.headers ?? [])]).toEqual([...(known?.headers ?? [])]);
  expect(await api.call(checkUser, { body: { email: "ada" } })).toMatchObject({ status: 400 });
});

const COMMON = "That password is too easy to guess. Choose another.";

// specification: 2.5, 5.4, 9.3
test.for<[string, object, object]>([
  ["no address", { email: "ada" }, { email: ["Enter a valid email."] }],
  ["a short password", { password: "1234567" }, { password: ["Use at least 8 characters."] }],
  ["a long password", { password: "x".repeat(257) }, { password: ["Use at most 256 characters."] }],
  ["a common password", { password: "Password123" }, { password: [COMMON] }],
  ["a password of one character", { password: "zzzzzzzzzzzz" }, { password: [COMMON] }],
  ["a password of blanks", { password: " ".repeat(12) }, { password: [COMMON] }],
  ["a common password between blanks", { password: "  password123 " }, { password: [COMMON] }],
  ["the address as the password", { password: "ada@nodebeat.test" }, { password: [COMMON] }],
  ["the address in capitals", { email: "ADA@nodebeat.test", password: "ada@Nodebeat.test" }, { password: [COMMON] }],
  [
    "the name in the address",
    { email: "Ada.Lovelace@nodebeat.test", password: "ada.lovelace" },
    { password: [COMMON] },
  ],
  ["the product's name with a year", { password: "N0deBeat-2026" }, { password: [COMMON] }],
  ["words of the product alone", { password: "my wallet machine" }, { password: [COMMON] }],
  [
    "a name out of the address, and a few digits",
    { email: "ada.lovelace@nodebeat.test", password: "Lovelace1815" },
    { password: [COMMON] },
  ],
  [
    "the company of the address",
    { email: "ada@engines.example", password: "$engines$engines" },
    { password: [COMMON] },
  ],
  ["no bot check", { turnstileToken: undefined }, { turnstileToken: ["The bot check is missing."] }],
  ["a short referral code", { referralCode: "ABCD" }, { referralCode: ["Invalid referral code"] }],
  ["a long referral code", { referralCode: "ABCDEF" }, { referralCode: ["Invalid referral code"] }],
  ["an empty referral code", { referralCode: "" }, { referralCode: ["Invalid referral code"] }],
  ["a referral code that is no text", { referralCode: 12_345 }, { referralCode: ["Invalid referral code"] }],
  ["nobody's referral code", { referralCode: "ZZZZZ" }, { referralCode: ["Invalid referral code"] }],
])("refuses %s with a message for the field, and mails nothing", async ([, input, fields]) => {
  expect(await ask(input)).toMatchObject({ status: 400, body: { error: "VALIDATION_ERROR", fields } });
  expect([await db.$count(signUps), await db.$count(backgroundJobs)]).toEqual([0, 0]);
});

test.each(["nodebeat of a colder winter", "48151623427", "lovelace and eight more"])(
  "accepts %j, because only part of it is easy to guess",
  async (password) => {
    expect(await ask({ email: "ada.lovelace@nodebeat.test", password })).toMatchObject({ status: 200 });
  },
);

test("keeps spaces and all other characters of a password, up to 256", async () => {
  const password = ` ${"pässwörd 🦊 ".repeat(20)}`.padEnd(256, " ");
  const { code } = await readCode(await ask({ password }));
  expect(code.status).toBe(200);
  const body = { email, password, turnstileToken: await fillForm(api, clock) };
  expect(await api.call(login, { body })).toMatchObject({ status: 200 });
});

test("rejects a bot-check token that was already used", async () => {
  const turnstileToken = await fillForm(api, clock);
  expect(await ask({ turnstileToken })).toMatchObject({ status: 200 });
  expect(await ask({ turnstileToken })).toMatchObject({ status: 422, body: { error: "BOT_CHECK_FAILED" } });
});

test("responds 503 with Retry-After while the hasher is full, and the same form works later", async () => {
  const { passwords, whenFree } = createTakenHasher();
  const busy = createTestApi(database, { now: clock.now, passwords });
  const turnstileToken = await fillForm(api, clock);

  const refused = await ask({ turnstileToken }, busy);
  await whenFree();

  expect(refused).toMatchObject({ status: 503, body: { error: "UNAVAILABLE" } });
  expect(Number(refused.headers.get("Retry-After"))).toBeGreaterThan(0);
  expect(await ask({ turnstileToken }, busy)).toMatchObject({ status: 200 });
});

async function readCode(answer: { body: unknown }) {
  const mail = await mailbox.read(email);
  const body = { token: signupTokenOf(answer), verificationCode: mail.code };
  return { mail, linkToken: tokenOf(mail), code: await api.call(verify, { body }) };
}

const signupTokenOf = ({ body }: { body: unknown }) => (body as { signupToken: string }).signupToken;

function withoutSecrets(body: unknown) {
  const { resend, signupToken, ...rest } = body as { signupToken: string; resend: { timestamp: number } };
  return { ...rest, length: signupToken.length, resend: { ...resend, timestamp: typeof resend.timestamp } };
}
