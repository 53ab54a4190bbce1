import { afterAll, beforeEach, expect, test } from "vitest";
import { createTestApi, seedMember, TEST_PASSWORD } from "../../tests/support/api/api.ts";
import { createTestDatabase } from "../../tests/support/database/test-database.ts";
import { startTurnstile } from "../../tests/support/servers/turnstile-stand-in.ts";
import { issueBotCheck, login } from "../auth/contract.ts";
import { createLog } from "../log/log.ts";
import { createTurnstile } from "./turnstile.ts";

const SECRET = "1x0000000000000000000000000000000AA";
const lines: string[] = [];
const log = createLog({ level: "trace", destination: { write: (line) => void lines.push(line) } });
const cloudflare = await startTurnstile(SECRET);
const elsewhere = await startTurnstile(SECRET);
const database = await createTestDatabase();
const email = "ada@nodebeat.test";

function createApi(options: { secretKey?: string; verifyUrl?: string } = {}) {
  const botCheck = createTurnstile({
    siteKey: "site-key",
    secretKey: SECRET,
    log,
    verifyUrl: cloudflare.verifyUrl,
    ...options,
  });
  return createTestApi(database, { botCheck, log });
}

const api = createApi();

beforeEach(async () => {
  cloudflare.asked.length = 0;
  cloudflare.breakDown();
  lines.length = 0;
  await database.reset();
  await seedMember(api.deps, { email });
});
afterAll(async () => {
  await database.close();
  await Promise.all([cloudflare, elsewhere].map((each) => each.close()));
});

const signIn = (turnstileToken: string, { call } = api) =>
  call(login, { body: { email, password: TEST_PASSWORD, turnstileToken }, clientAddress: "203.0.113.7" });

test("returns the site key instead of a token", async () => {
  expect(await api.read(issueBotCheck)).toEqual({ turnstileToken: "", siteKey: "site-key" });
});

test("sends the token and the client's address to Cloudflare, which accepts each token once", async () => {
  expect(await signIn("human-1")).toMatchObject({ status: 200 });
  expect(cloudflare.asked).toEqual([
    {
      secret: SECRET,
      response: "human-1",
      remoteip: "203.0.113.7",
      idempotency_key: expect.stringMatching(/^[\w-]{36}$/),
    },
  ]);
  expect(await signIn("human-1")).toMatchObject({
    status: 422,
    body: { error: "BOT_CHECK_FAILED", message: "The bot check has expired. Please try again." },
  });
});

test("refuses a token that Cloudflare does not know", async () => {
  expect(await signIn("robot")).toMatchObject({
    status: 422,
    body: { error: "BOT_CHECK_FAILED", message: "The bot check did not pass. Please try again." },
  });
});

type Broken = Parameters<typeof cloudflare.breakDown>[0];

type Case = [string, { secretKey?: string; verifyUrl?: string }, Broken, why: RegExp];

test.for<Case>([
  ["nobody answers", { verifyUrl: "http://127.0.0.1:1" }, undefined, /fetch failed/],
  ["the response is not a verdict", {}, { status: 502, body: "<h1>Bad gateway</h1>" }, /JSON/],
  ["the response is too large", {}, { status: 200, body: `{"success":true}${" ".repeat(100_000)}` }, /more than/],
  ["Cloudflare redirects to another server", {}, { status: 307, body: "", location: elsewhere.verifyUrl }, /fetch/],
  ["our secret is wrong", { secretKey: "another" }, undefined, /invalid-input-secret/],
  ...["internal-error", "bad-request", "missing-input-secret"].map((code): Case => {
    const verdict = { status: 200, body: JSON.stringify({ success: false, "error-codes": [code] }) };
    return [`Cloudflare says ${code}`, {}, verdict, new RegExp(code)];
  }),
])("responds 503 with Retry-After, and logs why, while %s", async ([, options, answer, why]) => {
  cloudflare.breakDown(answer);
  const { status, headers } = await signIn("human-2", createApi(options));
  expect([status, headers.get("Retry-After")]).toEqual([503, "5"]);
  const told = lines.map((line): Record<string, unknown> => JSON.parse(line));
  const errors = told.filter(({ level }) => level === "error");
  expect(errors).toMatchObject([{ err: { message: expect.stringMatching(why) } }]);
  expect(lines.join("")).not.toContain(SECRET);
});
