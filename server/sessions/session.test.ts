import { eq } from "drizzle-orm";
import { uuidv7 } from "uuidv7";
import { expect, test } from "vitest";
import { createTestApi, fillForm, NO_CLIENT, seedMember, TEST_PASSWORD } from "../../tests/support/api/api.ts";
import { dumpDatabase, listEncodings } from "../../tests/support/database/dump-database.ts";
import { openTestApi } from "../../tests/support/api/open-test-api.ts";
import { botCheckUses, nodeDevices, sessions } from "../db/schema.ts";
import { registerDevice, sendHeartbeats } from "../heartbeats/contract.ts";
import { createLog } from "../log/log.ts";
import { readUser } from "../profile/contract.ts";
import { login } from "../auth/contract.ts";
import { createCredential } from "../secrets/credential.ts";
import { pruneExpired } from "../boot/housekeeping.ts";
import { logout } from "./contract.ts";
import { authenticate, startSession } from "./service.ts";

const DAY = 24 * 60 * 60 * 1000;
const lines: string[] = [];
const log = createLog({ level: "trace", destination: { write: (line) => void lines.push(line) } });
const { api, clock, database } = await openTestApi({ log });

const refusal = { status: 401, body: { error: "UNAUTHENTICATED" } };

test.for([
  ["no credential", undefined, "Sign in first."],
  ["an unknown token", createCredential("session").token, "Your session has ended. Please sign in again."],
  ["something else", "a-token-of-another-kind", "Your session has ended. Please sign in again."],
])("refuses %s", async ([, token, message]) => {
  expect(await api.call(readUser, { token })).toMatchObject({
    ...refusal,
    body: { error: "UNAUTHENTICATED", message },
  });
});

test("refuses credentials in any other form", async () => {
  const { token } = await seedMember(api.deps);
  for (const header of [token, `Basic ${token}`, `Bearer ${token} ${token}`, "Bearer", ""]) {
    expect(await api.call(readUser, { headers: { Authorization: header } })).toMatchObject(refusal);
  }
});

test("a session expires after thirty days, even if it is used", async () => {
  const { token } = await seedMember(api.deps);
  for (const days of [10, 10, 10 - 1 / DAY]) {
    clock.advance(days * DAY);
    expect(await api.call(readUser, { token })).toMatchObject({ status: 200 });
  }
  clock.advance(1);
  expect(await api.call(readUser, { token })).toMatchObject(refusal);
});

test("log-out ends its own session and no other", async () => {
  const { token, user } = await seedMember(api.deps);
  const { token: other } = await startSession(api.deps, { userId: user.id, client: NO_CLIENT });

  expect(await api.read(logout, { token })).toEqual({ success: true, message: "You are signed out." });

  expect(await api.call(readUser, { token })).toMatchObject(refusal);
  expect(await api.call(logout, { token })).toMatchObject(refusal);
  expect(await api.call(readUser, { token: other })).toMatchObject({ status: 200 });
});

test.for([
  ["refreshed", { isRefreshed: true }],
  ["kept", { isRefreshed: false }],
  ["ended", undefined],
] as const)(
  "asks the provider once a session's tokens are due, and applies its answer: %s",
  async ([outcome, caller]) => {
    const { user } = await seedMember(api.deps);
    const providerSession = {
      seal: (id: string) => Buffer.from(id),
      expiresAt: new Date(clock.now().getTime() + 60_000),
    };
    const { token } = await startSession(api.deps, { userId: user.id, client: NO_CLIENT, providerSession });
    const asked: object[] = [];
    const refresh = async (session: object) => {
      asked.push(session);
      return outcome;
    };
    const call = () =>
      authenticate({ ...api.deps, refresh, admitNode: async () => undefined }, token, "member").catch(() => undefined);

    clock.advance(60_000 - 1);
    const before = await call();
    expect([before?.isRefreshed, asked]).toEqual([false, []]);
    clock.advance(1);
    const after = await call();
    expect(after && { isRefreshed: after.isRefreshed }).toEqual(caller);
    expect(asked).toEqual([
      { userId: user.id, sessionId: before?.sessionId, providerExpiresAt: providerSession.expiresAt },
    ]);
  },
);

test("log-out requires the API key if one is configured", async () => {
  const guarded = createTestApi(database, { now: clock.now, env: { authApiKey: "the key" } });
  const { token } = await seedMember(guarded.deps);
  expect(await guarded.call(logout, { token })).toMatchObject({ status: 401, body: { error: "INVALID_API_KEY" } });
  expect(await guarded.call(logout, { token, headers: { "x-api-key": "the key" } })).toMatchObject({ status: 200 });
});

test("a device key allows only what a node may do, until it is revoked", async () => {
  const { user } = await seedMember(api.deps);
  const { token, hash } = createCredential("device");
  const id = uuidv7();
  await database.db.insert(nodeDevices).values({ userId: user.id, id, name: "Attic", keyHash: hash });
  const beat = () => api.call(sendHeartbeats, { token, body: { beats: [{ timestamp: clock.now().toISOString() }] } });

  expect(await beat()).toMatchObject({ status: 200, body: { accepted: 1 } });
  expect(await api.call(readUser, { token })).toMatchObject(refusal);

  await database.db.update(nodeDevices).set({ revokedAt: clock.now() }).where(eq(nodeDevices.id, id));
  expect(await beat()).toMatchObject({ status: 401, body: { error: "KEY_REVOKED" } });
});

test("neither the database nor the log holds a token, a device key or a password", async () => {
  const password = "planted pass phrase";
  const { user } = await seedMember(api.deps, { email: "ada@nodebeat.test", password });
  const turnstileToken = await fillForm(api, clock);
  const body = { email: user.email, password, turnstileToken };
  const { access_token } = await api.read(login, { body });
  await api.call(login, { body });
  const { deviceKey } = await api.read(registerDevice, { token: access_token, body: { name: "Attic" } });
  log.info({ path: "/", headers: { authorization: `Bearer ${access_token}` } }, "A request");

  const kept = [await dumpDatabase(database.db), ...lines].join("\n");

  expect(kept).toContain(user.id);
  expect(kept).toContain("A request");
  for (const secret of [access_token, deviceKey, password, turnstileToken]) {
    for (const form of listEncodings(secret)) expect(kept).not.toContain(form);
  }
});

test("pruning deletes expired sessions and bot-check tokens and keeps the others", async () => {
  const { token: old, user } = await seedMember(api.deps);
  await database.db.insert(botCheckUses).values({ tokenId: "old", expiresAt: new Date(clock.now().getTime() + DAY) });
  clock.advance(30 * DAY);
  const { token } = await startSession(api.deps, { userId: user.id, client: NO_CLIENT });
  await database.db.insert(botCheckUses).values({ tokenId: "new", expiresAt: new Date(clock.now().getTime() + DAY) });
  clock.advance(1);

  expect(await pruneExpired(api.deps)).toMatchObject({ sessions: 1, botChecks: 1 });
  expect(await pruneExpired(api.deps)).toMatchObject({ sessions: 0, botChecks: 0 });

  expect(await database.db.$count(sessions)).toBe(1);
  expect(await database.db.select({ id: botCheckUses.tokenId }).from(botCheckUses)).toEqual([{ id: "new" }]);
  expect(await api.call(readUser, { token })).toMatchObject({ status: 200 });
  expect(await api.call(readUser, { token: old })).toMatchObject(refusal);
});

test("each sign-in with the same credentials gets its own token", async () => {
  const { user } = await seedMember(api.deps);
  const tokens = new Set<string>();
  for (let attempt = 0; attempt < 2; attempt++) {
    const turnstileToken = await fillForm(api, clock);
    const body = { email: user.email, password: TEST_PASSWORD, turnstileToken };
    tokens.add((await api.read(login, { body })).access_token);
  }
  expect(tokens.size).toBe(2);
});
