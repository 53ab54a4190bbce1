import { eq, sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { fillForm, seedMember, TEST_PASSWORD } from "../../tests/support/api/api.ts";
import { tokenOf } from "../../tests/support/api/mailbox.ts";
import { openTestApi } from "../../tests/support/api/open-test-api.ts";
import {
  changePassword,
  forgotPassword,
  login,
  openRecovery,
  resetPassword,
  signUp,
  verify,
} from "../auth/contract.ts";
import { securityEvents } from "../db/schema.ts";
import { pruneExpired } from "../boot/housekeeping.ts";
import { logout, readSessions, revokeOtherSessions, revokeSession } from "../sessions/contract.ts";
import { readSecurityActivity } from "./contract.ts";
import { NOBODY } from "./queries.ts";

const DAY = 24 * 60 * 60 * 1000;
const FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0";
const { api, clock, mailbox } = await openTestApi();
const { db } = api.deps;
const email = "ada@nodebeat.test";
const password = "a new pass phrase";

async function signIn(given = TEST_PASSWORD, headers: Record<string, string> = {}) {
  const body = { email, password: given, turnstileToken: await fillForm(api, clock) };
  const answer = await api.call(login, { body, headers, clientAddress: "203.0.113.9" });
  return (answer.body as { access_token: string }).access_token;
}

const read = async (token: string, query = {}) => api.read(readSecurityActivity, { token, query });
const kinds = async (token: string) => (await read(token, { limit: 50 })).events.map(({ kind }) => kind);

test("records sign-ins, failures, log-outs and revocations, and returns the newest first", async () => {
  const { token } = await seedMember(api.deps, { email });
  const device = { "X-Device-Token": "a".repeat(43) };
  await signIn("not the password");
  const first = await signIn(TEST_PASSWORD, device);
  await api.read(logout, { token: first });
  await signIn(TEST_PASSWORD, device);
  const ended = (await api.read(readSessions, { token })).sessions.find(({ current }) => !current);
  await api.read(revokeSession, { token, params: { id: ended?.id ?? "" } });
  await signIn(TEST_PASSWORD, device);
  await api.read(revokeOtherSessions, { token });

  expect(await kinds(token)).toEqual([
    "other-sessions-revoked",
    "signed-in",
    "session-revoked",
    "signed-in",
    "signed-out",
    "signed-in-on-new-device",
    "sign-in-failed",
  ]);
});

test("records the creation of an account and each change of its password", async () => {
  const { signupToken } = await api.read(signUp, {
    body: { email, password: TEST_PASSWORD, turnstileToken: await fillForm(api, clock) },
  });
  const { code } = await mailbox.read(email);
  const { accessToken } = await api.read(verify, { body: { token: signupToken, verificationCode: code } });
  await api.read(changePassword, { token: accessToken, body: { currentPassword: TEST_PASSWORD, password } });
  await api.read(forgotPassword, { body: { email, turnstileToken: await fillForm(api, clock) } });
  const { recoveryToken } = await api.read(openRecovery, { body: { token: tokenOf(await mailbox.read(email)) } });
  await api.read(resetPassword, { body: { token: recoveryToken, password: TEST_PASSWORD } });

  expect(await kinds(await signIn())).toEqual([
    "signed-in-on-new-device",
    "password-reset",
    "password-reset-requested",
    "password-changed",
    "account-created",
  ]);
});

test("returns each event's time, device and network, page by page", async () => {
  const { token } = await seedMember(api.deps, { email });
  const first = clock.now().getTime() + 300;
  for (let attempt = 0; attempt < 3; attempt++) await signIn("not the password", { "User-Agent": FIREFOX });

  const page = await read(token, { page: 2, limit: 2 });

  expect(page.pagination).toEqual({ limit: 2, page: 2, total: 3, totalPages: 2 });
  expect(page.events).toEqual([
    {
      id: expect.any(String),
      kind: "sign-in-failed",
      device: "Firefox on Linux",
      network: "203.0.113.0/24",
      occurredAt: new Date(first).toISOString(),
    },
  ]);
});

test("requests for a new password add events only while they are mailed", async () => {
  const { token } = await seedMember(api.deps, { email });
  for (let request = 0; request < 8; request += 1)
    await api.read(forgotPassword, { body: { email, turnstileToken: await fillForm(api, clock) } });
  const asked = (await kinds(token)).filter((kind) => kind === "password-reset-requested");
  expect(asked).toHaveLength(5);
});

test("a member does not see the events of other members or of unknown addresses", async () => {
  const { token } = await seedMember(api.deps);
  await seedMember(api.deps, { email });
  await signIn("not the password");
  await api.call(login, {
    body: { email: "nobody@nodebeat.test", password: "not a password", turnstileToken: await fillForm(api, clock) },
  });
  expect(await read(token)).toMatchObject({ events: [], pagination: { total: 0 } });
  expect(await db.$count(securityEvents, eq(securityEvents.userId, NOBODY))).toBe(1);
});

test("the database refuses to update, delete or truncate security events", async () => {
  const { user } = await seedMember(api.deps, { email });
  await signIn("not the password");
  const refused = { cause: { code: "23001" } };
  await expect(db.update(securityEvents).set({ device: "another" })).rejects.toMatchObject(refused);
  await expect(db.delete(securityEvents)).rejects.toMatchObject(refused);
  await expect(db.execute(sql`truncate security_events`)).rejects.toMatchObject(refused);
  expect(await db.$count(securityEvents, eq(securityEvents.userId, user.id))).toBe(1);
});

test("events are kept for a year, those of unknown addresses for a month", async () => {
  const { user } = await seedMember(api.deps);
  const now = Date.now();
  const place = { device: "Firefox on Linux", network: null, kind: "sign-in-failed" };
  const ages = [
    [user.id, 366],
    [user.id, 364],
    [NOBODY, 31],
    [NOBODY, 29],
  ] as const;
  await db
    .insert(securityEvents)
    .values(
      ages.map(([userId, days]) =>
        Object.assign({ userId, id: crypto.randomUUID(), occurredAt: new Date(now - days * DAY) }, place),
      ),
    );
  expect(await pruneExpired(api.deps)).toMatchObject({ events: 1, eventsOfNobody: 1 });
  expect(await pruneExpired(api.deps)).toMatchObject({ events: 0, eventsOfNobody: 0 });
});
