import { eq, sql } from "drizzle-orm";
import { expect, test } from "vitest";
import {
  BY_OPERATOR,
  markPasswordFresh,
  readAudit,
  seedAdministrator,
} from "../../tests/support/api/administration.ts";
import { NO_CLIENT, seedMember, TEST_PASSWORD } from "../../tests/support/api/api.ts";
import { eraseAtOnce } from "../../tests/support/api/jobs.ts";
import { openTestApi } from "../../tests/support/api/open-test-api.ts";
import { keepAccount, requestDeletion } from "../account-data/contract.ts";
import { sessions } from "../db/schema.ts";
import { confirmPassword, readStanding } from "../fresh-password/contract.ts";
import { findMembers, readMember } from "../member-administration/contract.ts";
import { LIMITS } from "../rate-limits/rules.ts";
import { readSecurityActivity } from "../security-activity/contract.ts";
import { blockMember, unblockMember } from "../sessions/blocking.ts";
import { endSessionsOf } from "../sessions/operating.ts";
import { startSession } from "../sessions/service.ts";
import { setWhitelisted } from "../whitelist/contract.ts";
import { asAdministrator, OPERATOR } from "./actor.ts";
import * as contract from "./contract.ts";
import { addAdministrator, administer, readAdministrators, removeAdministrator } from "./service.ts";

const { api, clock } = await openTestApi();
const { db } = api.deps;

const whitelist = (token: string, email: string) =>
  api.call(setWhitelisted, { token, body: { emails: [email], whitelisted: true, reason: "Tests the network" } });

test("a member becomes an administrator once, by email address or id, until the role is removed", async () => {
  const { user } = await seedMember(api.deps, { email: "Ada@example.com" });
  const add = (member: string) => addAdministrator(api.deps, BY_OPERATOR, { member });
  const added = await Promise.all([add("ada@EXAMPLE.com"), add(user.id), add(user.id)]);
  expect(added.filter(({ changed }) => changed)).toHaveLength(1);
  expect(await readAdministrators(api.deps, OPERATOR)).toEqual([
    {
      id: user.id,
      email: "Ada@example.com",
      since: clock.now().toISOString(),
      addedBy: null,
      addedByEmail: null,
      blockedAt: null,
    },
  ]);

  const remove = () => removeAdministrator(api.deps, BY_OPERATOR, { member: user.id });
  expect([(await remove()).changed, (await remove()).changed]).toEqual([true, false]);
  expect(await readAdministrators(api.deps, OPERATOR)).toEqual([]);
  expect(await readAudit(db)).toMatchObject([
    { action: "administrator.removed", subject: "member", subjectId: user.id, actor: "operator", actorId: null },
  ]);
  await expect(add("nobody@example.com")).rejects.toMatchObject({ code: "NOT_FOUND" });
});

test("an administrator whose role is removed can do nothing more, even in the same session", async () => {
  const [ada, ben] = [await seedAdministrator(api.deps), await seedMember(api.deps)];
  expect((await whitelist(ada.token, ben.user.email)).status).toBe(200);
  await removeAdministrator(api.deps, BY_OPERATOR, { member: ada.user.id });
  expect(await whitelist(ada.token, ben.user.email)).toMatchObject({
    status: 403,
    body: { error: "FORBIDDEN", message: "Only administrators can do this." },
  });
});

test("an administrator who loses the role after the first check can neither write nor read", async () => {
  const { user } = await seedAdministrator(api.deps);
  await removeAdministrator(api.deps, BY_OPERATOR, { member: user.id });
  const act = { actor: asAdministrator({ userId: user.id, sessionId: crypto.randomUUID() }), reason: "Too late" };
  await expect(addAdministrator(api.deps, act, { member: user.id })).rejects.toMatchObject({ code: "FORBIDDEN" });
  await expect(readAdministrators(api.deps, act.actor)).rejects.toMatchObject({ code: "FORBIDDEN" });
  expect(await readAdministrators(api.deps, OPERATOR)).toEqual([]);
});

test("the last administrator cannot give up the role, even if all do so concurrently, but an operator can remove it", async () => {
  const all = [await seedAdministrator(api.deps), await seedAdministrator(api.deps), await seedAdministrator(api.deps)];
  const leave = ({ token, user }: (typeof all)[number]) =>
    api.call(contract.removeAdministrator, { token, body: { member: user.id, reason: "Leaves" } });
  const answers = await Promise.all(all.map(leave));
  expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([200, 200, 409]);
  const [last] = await readAdministrators(api.deps, OPERATOR);
  await removeAdministrator(api.deps, BY_OPERATOR, { member: last?.id ?? "" });
  expect(await readAdministrators(api.deps, OPERATOR)).toEqual([]);
});

test("a blocked administrator does not count as a remaining one", async () => {
  const [ada, ben] = [await seedAdministrator(api.deps), await seedAdministrator(api.deps)];
  const leave = () =>
    api.call(contract.removeAdministrator, { token: ada.token, body: { member: ada.user.id, reason: "Leaves" } });
  await blockMember(api.deps, BY_OPERATOR, { member: ben.user.id });
  const { administrators } = await api.read(contract.readAdministrators, { token: ada.token });
  const blockedAt = clock.now().toISOString();
  expect(administrators.filter((each) => each.blockedAt)).toMatchObject([{ id: ben.user.id, blockedAt }]);
  expect(await leave()).toMatchObject({
    status: 409,
    body: { message: expect.stringContaining("Add another one first") },
  });
  await unblockMember(api.deps, BY_OPERATOR, { member: ben.user.id });
  expect((await leave()).status).toBe(200);
});

test("an administrator whose account is to be deleted does not count as a remaining one", async () => {
  const [ada, ben] = [await seedAdministrator(api.deps), await seedAdministrator(api.deps)];
  const leave = () =>
    api.call(contract.removeAdministrator, { token: ada.token, body: { member: ada.user.id, reason: "Leaves" } });
  await api.read(requestDeletion, { token: ben.token, body: { password: TEST_PASSWORD, understood: true } });
  expect((await leave()).status).toBe(409);
  await api.read(keepAccount, { token: ben.token });
  expect((await leave()).status).toBe(200);
});

test("an administrator whose own account is to be deleted may leave if another one remains, and only then", async () => {
  const ada = await seedAdministrator(api.deps);
  const leave = () =>
    api.call(contract.removeAdministrator, { token: ada.token, body: { member: ada.user.id, reason: "Leaves" } });
  await api.read(requestDeletion, { token: ada.token, body: { password: TEST_PASSWORD, understood: true } });
  expect((await leave()).status).toBe(409);
  await seedAdministrator(api.deps);
  expect((await leave()).status).toBe(200);
});

test("an administrator can neither change nor read anything 15 minutes after giving the password", async () => {
  const { token, user } = await seedAdministrator(api.deps);
  const ben = await seedMember(api.deps);
  const add = () => api.call(contract.addAdministrator, { token, body: { member: ben.user.id, reason: "Helps" } });
  clock.advance(15 * 60_000 - 1);
  expect((await api.call(contract.readAudit, { token })).status).toBe(200);
  clock.advance(1);
  expect(await add()).toMatchObject({ status: 403, body: { error: "PASSWORD_REQUIRED" } });
  expect((await api.call(contract.readAudit, { token })).status).toBe(403);
  await markPasswordFresh(api.deps, token);
  expect((await add()).status).toBe(200);
  expect(await readAdministrators(api.deps, OPERATOR)).toMatchObject([
    { id: user.id, addedBy: null, addedByEmail: null },
    { id: ben.user.id, addedBy: user.id, addedByEmail: user.email },
  ]);
  await endSessionsOf(api.deps, BY_OPERATOR, { member: user.id });
  expect((await api.call(contract.readAudit, { token })).status).toBe(401);
});

test("a password that was given by a fast clock does not count once the clock is corrected", async () => {
  const { token, user } = await seedAdministrator(api.deps);
  const at = clock.now();
  const passwordAt = (ahead: number) =>
    db
      .update(sessions)
      .set({ passwordAt: new Date(at.getTime() + ahead) })
      .where(eq(sessions.userId, user.id));
  const read = () => api.call(contract.readAudit, { token });
  await passwordAt(24 * 60 * 60 * 1000);
  expect(await read()).toMatchObject({ status: 403, body: { error: "PASSWORD_REQUIRED" } });
  expect((await api.read(readStanding, { token })).passwordUntil).toBeNull();
  // Another process may have taken the password, with a clock that is slightly ahead of ours.
  await passwordAt(30_000);
  expect((await read()).status).toBe(200);
  await passwordAt(90_000);
  await markPasswordFresh(api.deps, token);
  expect((await read()).status).toBe(200);
});

test("limits password guesses like sign-ins, and the right password counts only for the session that gives it", async () => {
  const { token, user } = await seedAdministrator(api.deps);
  const { token: elsewhere } = await startSession(api.deps, { userId: user.id, client: NO_CLIENT });
  clock.advance(15 * 60_000);
  const confirm = async (password: string) => (await api.call(confirmPassword, { token, body: { password } })).status;
  expect(await confirm(TEST_PASSWORD)).toBe(200);
  const read = async (by: string) => (await api.call(contract.readAudit, { token: by })).status;
  expect([await read(token), await read(elsewhere)]).toEqual([200, 403]);

  for (let guess = 0; guess < LIMITS.signInByAccount.burst; guess += 1)
    expect(await confirm("not the password")).toBe(400);
  expect(await confirm(TEST_PASSWORD)).toBe(429);
  const [latest] = (await api.read(readSecurityActivity, { token })).events;
  expect(latest?.kind).toBe("sign-in-failed");
});

test("a deleted member cannot be found or become an administrator", async () => {
  const { token } = await seedAdministrator(api.deps, "zoe@example.com");
  const { user } = await seedMember(api.deps);
  await eraseAtOnce(api.deps, user.id);
  const find = async (search: string) =>
    (await api.read(findMembers, { token, query: { search } })).items.map(({ email }) => email);
  expect(await find("")).toEqual(["zoe@example.com"]);
  for (const search of [user.id, user.id.slice(0, 8)]) expect(await find(search)).toEqual([]);
  expect((await api.call(readMember, { token, params: { id: user.id } })).status).toBe(404);
  await expect(addAdministrator(api.deps, BY_OPERATOR, { member: user.id })).rejects.toMatchObject({
    code: "NOT_FOUND",
  });
});

test("reads the audit log page by page and filters it by subject, actor and action", async () => {
  const admin = await seedAdministrator(api.deps, "admin@example.com");
  const ben = await seedMember(api.deps, { email: "ben@example.com" });
  await whitelist(admin.token, "ben@example.com");
  const read = (query: Record<string, string | number> = {}) =>
    api.read(contract.readAudit, { token: admin.token, query });
  const actions = async (query: Record<string, string>) => (await read(query)).items.map(({ action }) => action);
  expect(await actions({})).toEqual(["whitelist.set", "administrator.added"]);
  expect(await actions({ by: "ADMIN@example.com" })).toEqual(["whitelist.set"]);
  expect(await actions({ about: "ben@example.com" })).toEqual(["whitelist.set"]);
  expect(await actions({ about: admin.user.id })).toEqual(["administrator.added"]);
  expect(await actions({ action: "administrator.added" })).toEqual(["administrator.added"]);
  expect(await actions({ about: "nobody@example.com" })).toEqual([]);
  const first = await read({ limit: 1 });
  expect(first.items).toMatchObject([{ subjectEmail: "ben@example.com", by: { email: "admin@example.com" } }]);
  const second = await read({ limit: 1, after: first.next ?? "" });
  expect([second.items.map(({ action }) => action), second.next]).toEqual([["administrator.added"], null]);
  expect(ben.user.id).toBe(first.items[0]?.subjectId);
  await administer(api.deps, BY_OPERATOR, async (_, note) => {
    const change = { action: "test.done", subject: "job", subjectId: "mail 1" } as const;
    await note(change, { ...change, subjectId: "mail 2" });
  });
  expect(await actions({ about: "job mail 1" })).toEqual(["test.done"]);
  expect(await actions({ about: "campaign mail 1" })).toEqual([]);
});

test("an audit entry is rolled back with its change", async () => {
  const { user } = await seedMember(api.deps);
  const change = { action: "test.done", subject: "member", subjectId: user.id } as const;
  const failing = administer(api.deps, BY_OPERATOR, async (_, note) => {
    await note(change);
    throw new Error("in the middle");
  });
  await expect(failing).rejects.toThrow("in the middle");
  expect(await readAudit(db)).toEqual([]);

  await administer(api.deps, BY_OPERATOR, (_, note) => note({ ...change, details: { how: "well" } }));
  expect(await readAudit(db)).toMatchObject([
    { ...change, at: clock.now(), actor: "operator", reason: BY_OPERATOR.reason, details: { how: "well" } },
  ]);
});

test.each(["update audit_entries set reason = 'Another one'", "delete from audit_entries", "truncate audit_entries"])(
  "the database refuses: %s",
  async (statement) => {
    await seedAdministrator(api.deps);
    await expect(db.execute(sql.raw(statement))).rejects.toMatchObject({
      cause: { message: expect.stringContaining("audit_entries is append-only") },
    });
    const { rows } = await db.execute<{ reason: string }>(sql`select reason from audit_entries`);
    expect(rows).toEqual([{ reason: BY_OPERATOR.reason }]);
  },
);
