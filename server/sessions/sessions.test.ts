import { randomBytes } from "node:crypto";
import { uuidv7 } from "uuidv7";
import { expect, test } from "vitest";
import { fillForm, seedMember, TEST_PASSWORD } from "../../tests/support/api/api.ts";
import { tokenOf } from "../../tests/support/api/mailbox.ts";
import { openTestApi } from "../../tests/support/api/open-test-api.ts";
import { changePassword, forgotPassword, login, openRecovery, resetPassword } from "../auth/contract.ts";
import { pruneExpired } from "../boot/housekeeping.ts";
import { sessions as table } from "../db/schema.ts";
import { createCallScope } from "../http/call-scope.ts";
import { readPointsLogDetail } from "../points/contract.ts";
import { readUser } from "../profile/contract.ts";
import { readSecurityActivity } from "../security-activity/contract.ts";
import { logout, readSessions, revokeOtherSessions, revokeSession } from "./contract.ts";

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const FIREFOX = "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:145.0) Gecko/20100101 Firefox/145.0";
const SAFARI =
  "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.1 Safari/605.1.15";
const { api, clock, database, mailbox } = await openTestApi();
const email = "ada@nodebeat.test";

type Browser = { userAgent?: string; device?: string; clientAddress?: string; password?: string };

const asDevice = (device: string) => ({ "X-Device-Token": device.padEnd(43, "_") });

async function signIn({ userAgent = FIREFOX, device, clientAddress, password = TEST_PASSWORD }: Browser = {}) {
  const headers = { "User-Agent": userAgent, ...(device && asDevice(device)) };
  const body = { email, password, turnstileToken: await fillForm(api, clock) };
  return (await api.read(login, { body, headers, clientAddress })).access_token;
}

/** Whether the member gets an email about a sign-in. */
async function isNews(browser: Browser) {
  await mailbox.deliver();
  mailbox.mails.length = 0;
  await signIn(browser);
  await mailbox.deliver();
  return mailbox.mails.some(({ subject }) => subject === "New sign-in to your account");
}

const list = async (token: string) => (await api.read(readSessions, { token })).sessions;
const works = async (token: string) => (await api.call(readUser, { token })).status === 200;

test("lists a member's sessions with device, network and times, the last used first", async () => {
  await seedMember(api.deps, { email });
  const started = clock.now().getTime() + 300;
  await signIn({ clientAddress: "203.0.113.77" });
  clock.advance(DAY);
  const current = await signIn({ userAgent: SAFARI, clientAddress: "2001:db8:a:b:c:d:e:f" });

  const sessions = await list(current);

  expect(sessions).toHaveLength(3);
  expect(sessions[0]).toMatchObject({ device: "Safari on macOS", network: "2001:db8:a::/48", current: true });
  expect(sessions[1]).toEqual({
    id: expect.any(String),
    device: "Firefox on Windows",
    network: "203.0.113.0/24",
    createdAt: new Date(started).toISOString(),
    lastSeenAt: new Date(started).toISOString(),
    expiresAt: new Date(started + 30 * DAY).toISOString(),
    current: false,
  });
});

test("lists only the hundred sessions that were used last", async () => {
  const { user } = await seedMember(api.deps, { email });
  const current = await signIn();
  const now = clock.now().getTime();
  const seen = Array.from({ length: 100 }, (_, index) => new Date(now - (index + 1) * MINUTE));
  await database.db.insert(table).values(
    seen.map((lastSeenAt) => {
      const ids = { userId: user.id, id: uuidv7(), tokenHash: randomBytes(32) };
      return { ...ids, lastSeenAt, createdAt: lastSeenAt, expiresAt: new Date(now + DAY) };
    }),
  );
  const [mine, seeded, ...others] = await list(current);
  expect([mine?.current, seeded?.current]).toEqual([true, false]);
  expect(others.map(({ lastSeenAt }) => lastSeenAt)).toEqual(seen.slice(0, 98).map((at) => at.toISOString()));
});

test("lists an unknown device and no network if the request names neither", async () => {
  await seedMember(api.deps, { email });
  const token = await signIn({ userAgent: "", clientAddress: "" });
  expect((await list(token))[0]).toMatchObject({ device: "An unknown device", network: null });
});

test("records the use of a session every five minutes at most, and says so in the response", async () => {
  const { token } = await seedMember(api.deps);
  const begun = clock.now();
  clock.advance(5 * MINUTE - 1);
  const early = await api.call(readUser, { token });
  expect([early.headers.get("x-auth-event"), (await list(token))[0]?.lastSeenAt]).toEqual([null, begun.toISOString()]);

  clock.advance(1);
  const answers = await Promise.all(Array.from({ length: 4 }, () => api.call(readUser, { token })));

  expect(answers.filter(({ headers }) => headers.get("x-auth-event") === "TOKEN_REFRESHED")).toHaveLength(1);
  expect((await list(token))[0]?.lastSeenAt).toBe(clock.now().toISOString());
});

test("an error response also says that the use was recorded, over HTTP and in process", async () => {
  const { token } = await seedMember(api.deps);
  const params = { id: crypto.randomUUID() };
  clock.advance(5 * MINUTE);
  const { headers, status } = await api.call(readPointsLogDetail, { token, params });
  expect([status, headers.get("x-auth-event")]).toEqual([404, "TOKEN_REFRESHED"]);

  clock.advance(5 * MINUTE);
  const reading = { path: readPointsLogDetail.path, params, query: {}, headers: { authorization: `Bearer ${token}` } };
  expect(await api.readWithin(reading, createCallScope(""))).toMatchObject({
    status: 404,
    headers: { "x-auth-event": "TOKEN_REFRESHED" },
  });
});

test("a session that is unused for fourteen days expires and leaves the list and the database", async () => {
  const { token, user } = await seedMember(api.deps, { email });
  const { token: used } = await seedMember(api.deps);
  clock.advance(14 * DAY - 1);
  expect(await works(used)).toBe(true);
  clock.advance(1);
  expect(await works(token)).toBe(false);
  expect(await pruneExpired(api.deps)).toMatchObject({ sessions: 0 });
  const other = await signIn();
  expect((await api.read(readUser, { token: other })).id).toBe(user.id);
  expect(await list(other)).toHaveLength(1);
  clock.advance(1);
  expect(await pruneExpired(api.deps)).toMatchObject({ sessions: 1 });
});

test("a session can be ended once, and only by its own member", async () => {
  await seedMember(api.deps, { email });
  const [mine, lost] = [await signIn(), await signIn()];
  const stranger = await seedMember(api.deps);
  const id = (await list(lost)).find(({ current }) => current)?.id ?? "";
  const revoke = (token: string) => api.call(revokeSession, { token, params: { id } });

  expect(await revoke(stranger.token)).toMatchObject({ status: 404 });
  expect(await works(lost)).toBe(true);
  expect(await revoke(mine)).toMatchObject({
    status: 200,
    body: { success: true, message: "That device has been signed out." },
  });
  expect(await works(lost)).toBe(false);
  expect(await revoke(mine)).toMatchObject({ status: 404, body: { message: "That session has already ended." } });
  expect(await api.call(revokeSession, { token: mine, params: { id: "x" } })).toMatchObject({ status: 400 });
});

test("a member can end all their other sessions in one request", async () => {
  const { token } = await seedMember(api.deps, { email });
  const stranger = await seedMember(api.deps);
  const others = [await signIn(), await signIn()];

  expect(await api.read(revokeOtherSessions, { token })).toMatchObject({
    success: true,
    message: "2 other devices have been signed out.",
  });

  expect(await Promise.all([token, stranger.token, ...others].map(works))).toEqual([true, true, false, false]);
  expect(await api.read(revokeOtherSessions, { token })).toMatchObject({
    message: "You are not signed in on any other device.",
  });
  await signIn();
  expect(await api.read(revokeOtherSessions, { token })).toMatchObject({
    message: "One other device has been signed out.",
  });
});

test("a new password ends all the member's other sessions, and no other member's", async () => {
  const { token } = await seedMember(api.deps, { email });
  const stranger = await seedMember(api.deps);
  const others = [await signIn(), await signIn()];
  const body = { currentPassword: TEST_PASSWORD, password: "another pass phrase" };
  await api.read(changePassword, { token, body });
  expect(await Promise.all([token, stranger.token, ...others].map(works))).toEqual([true, true, false, false]);
});

test("a sign-in from a new device sends an email, one from a known device does not", async () => {
  await seedMember(api.deps, { email });
  await signIn({ device: "laptop" });
  const notice = await mailbox.read(email);
  expect(notice.subject).toBe("New sign-in to your account");
  expect(notice.text).toMatch(/on \d+ \w+ 202\d, \d\d:\d\d UTC with Firefox on Windows/);
  expect(notice.link).toBe("http://nodebeat.test/profile#sessions");

  await api.call(logout, { token: await signIn({ device: "laptop" }) });
  await signIn({ device: "laptop" });
  await mailbox.deliver();
  expect(mailbox.mails).toHaveLength(1);

  await signIn({ device: "phone", userAgent: SAFARI });
  await mailbox.deliver();
  expect(mailbox.mails.map(({ text }) => /UTC with (\w+ on \w+)/.exec(text)?.[1])).toEqual([
    "Firefox on Windows",
    "Safari on macOS",
  ]);
});

test("a browser that is known for one member is new for another", async () => {
  await seedMember(api.deps, { email: "grace@nodebeat.test" });
  await seedMember(api.deps, { email });
  await signIn({ device: "shared" });
  const body = { email: "grace@nodebeat.test", password: TEST_PASSWORD, turnstileToken: await fillForm(api, clock) };
  await api.read(login, { body, headers: asDevice("shared") });
  expect((await mailbox.read("grace@nodebeat.test")).subject).toBe("New sign-in to your account");
});

test("a password change makes every browser new again except the one it was made in", async () => {
  await seedMember(api.deps, { email });
  await signIn({ device: "stranger" });
  const token = await signIn({ device: "laptop" });
  const password = "another pass phrase";
  const body = { currentPassword: TEST_PASSWORD, password };
  await api.read(changePassword, { token, body, headers: asDevice("laptop") });
  expect([await isNews({ device: "laptop", password }), await isNews({ device: "stranger", password })]).toEqual([
    false,
    true,
  ]);
});

test("a reset makes every browser new again except the one it was made in", async () => {
  await seedMember(api.deps, { email });
  await signIn({ device: "stranger" });
  await api.read(forgotPassword, { body: { email, turnstileToken: await fillForm(api, clock) } });
  const link = tokenOf(await mailbox.read(email));
  const { recoveryToken: token } = await api.read(openRecovery, { body: { token: link } });
  const password = "another pass phrase";
  await api.read(resetPassword, { body: { token, password }, headers: asDevice("laptop") });
  expect(await isNews({ device: "stranger", password })).toBe(true);
  expect(await isNews({ device: "laptop", password })).toBe(false);
});

test("a browser that is unused for a year counts as new again", async () => {
  await seedMember(api.deps, { email });
  await signIn({ device: "laptop" });
  clock.advance(DAY);
  await signIn({ device: "laptop" });
  clock.advance(365 * DAY);
  expect(await pruneExpired(api.deps)).toMatchObject({ devices: 0 });
  clock.advance(1);
  expect(await pruneExpired(api.deps)).toMatchObject({ devices: 1 });
  await signIn({ device: "laptop" });
  await mailbox.deliver();
  expect(mailbox.mails.filter(({ subject }) => subject === "New sign-in to your account")).toHaveLength(1);
});

test("the security activity records each ended session, and nothing if there was none to end", async () => {
  await seedMember(api.deps, { email });
  const [here, there] = [await signIn(), await signIn({ userAgent: SAFARI })];
  const kinds = async () => {
    const { events } = await api.read(readSecurityActivity, { token: here });
    return events.map(({ kind }) => kind).filter((kind) => kind.includes("revoked") || kind === "signed-out");
  };
  const other = (await list(here)).find(({ device }) => device === "Safari on macOS");
  await api.read(revokeSession, { token: here, params: { id: other?.id ?? "" } });
  expect(await works(there)).toBe(false);
  expect(await kinds()).toEqual(["session-revoked"]);
  await api.read(revokeOtherSessions, { token: here });
  expect(await kinds()).toEqual(["other-sessions-revoked", "session-revoked"]);
  await api.read(revokeOtherSessions, { token: here });
  expect(await kinds()).toHaveLength(2);
  const leaving = await signIn();
  await Promise.all([0, 1].map(() => api.call(logout, { token: leaving })));
  expect(await kinds()).toEqual(["signed-out", "other-sessions-revoked", "session-revoked"]);
});
