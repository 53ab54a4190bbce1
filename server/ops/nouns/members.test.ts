import { eq } from "drizzle-orm";
import { afterAll, beforeEach, expect, test } from "vitest";
import { readAudit, seedAdministrator } from "../../../tests/support/api/administration.ts";
import { createTestApi, seedMember, TEST_PASSWORD } from "../../../tests/support/api/api.ts";
import { createTestDatabase } from "../../../tests/support/database/test-database.ts";
import { login } from "../../auth/contract.ts";
import { accountDeletions, users } from "../../db/schema.ts";
import { inTransaction } from "../../db/transaction.ts";
import { registerDevice, revokeDevice, sendHeartbeats } from "../../heartbeats/contract.ts";
import { readUser } from "../../profile/contract.ts";
import { recordReferral } from "../../referrals/service.ts";
import { readJson, startOperator } from "../operator.fixture.ts";

const database = await createTestDatabase();
const botCheck = { issue: () => ({ turnstileToken: "t" }), verify: async () => {} };
const api = createTestApi(database, { botCheck });
beforeEach(() => database.reset());
afterAll(() => database.close());

const why = ["--reason", "Sold heartbeats"];
const BLOCKED = "This account is blocked. Contact us if you think that this is a mistake.";

const signIn = (email: string, password = TEST_PASSWORD) =>
  api.call(login, { body: { email, password, turnstileToken: "t" } });
const beat = (token: string) =>
  api.call(sendHeartbeats, { token, body: { beats: [{ timestamp: new Date().toISOString() }] } });

test("shows an operator an account without its secrets", async () => {
  const ops = await startOperator(api.deps);
  const { token, user } = await seedMember(api.deps, { email: "ada@example.com" });
  await api.read(registerDevice, { token, body: { name: "attic" } });
  const { deviceId } = await api.read(registerDevice, { token, body: { name: "sold" } });
  await api.read(revokeDevice, { token, params: { id: deviceId } });
  await beat(token);
  const shown = await ops("members", "show", "Ada@example.com", "--json");
  expect(readJson(shown)).toMatchObject({
    id: user.id,
    email: "ada@example.com",
    points: 25,
    heartbeats: 1,
    machines: 1,
    sessions: 1,
    blockedAt: null,
    deletionDueAt: null,
    supabaseUser: null,
  });
  expect(shown).not.toMatch(/hash|secret/i);
  expect(await ops("members", "show", user.id)).toMatch(
    /^0 .*ada@example\.com\njoined .*\n25 points, 1 heartbeat, 1 machine with a key\n1 session, /,
  );
  expect(await ops("members", "show", "nobody@example.com")).toBe("1 No member has this address or id.");
});

test("shows who invited a member, whom they invited, and when their deletion is due", async () => {
  const ops = await startOperator(api.deps);
  const inviter = await seedAdministrator(api.deps);
  const { user } = await seedMember(api.deps, { referralCode: inviter.user.personal_code ?? "" });
  const friend = await seedMember(api.deps);
  const [requestedAt, dueAt] = [new Date("2026-11-20T12:00:00.000Z"), new Date("2026-12-04T12:00:00.000Z")];
  await inTransaction(database.db, async (tx) => {
    await recordReferral(tx, { inviterId: user.id, inviteeId: friend.user.id, at: requestedAt });
    await tx.insert(accountDeletions).values({ userId: user.id, requestedAt, dueAt });
  });
  expect(readJson(await ops("members", "show", user.id, "--json"))).toMatchObject({
    invitedBy: { id: inviter.user.id, email: inviter.user.email },
    referrals: { invited: 1, successful: 0, points: 0 },
    deletionDueAt: dueAt.toISOString(),
    isAdministrator: false,
  });
  expect(readJson(await ops("members", "show", inviter.user.id, "--json"))).toMatchObject({
    isAdministrator: true,
    invitedBy: null,
  });
  expect(await ops("members", "show", inviter.user.id)).toMatch(/\nadministrator$/);
});

test("shows which Supabase user an account is linked to, until it is unlinked", async () => {
  const ops = await startOperator(api.deps);
  const { user } = await seedMember(api.deps, { email: "ada@example.com" });
  const id = "5b1f0f43-6e1a-4c53-9a55-2f0f3e5a7d10";
  await database.db.update(users).set({ passwordHash: null, providerSubject: id }).where(eq(users.id, user.id));
  expect(readJson(await ops("members", "show", user.id, "--json"))).toMatchObject({ supabaseUser: id });
  expect(await ops("members", "show", user.id)).toContain(`\nlinked to the user ${id} at Supabase`);
  expect(await ops("members", "unlink", user.id, ...why)).toMatch(/^0 ada@example\.com is no longer linked/);
  expect(await ops("members", "show", user.id)).not.toContain("Supabase");
  expect(await ops("members", "unlink", user.id, ...why)).toBe("0 ada@example.com was not linked.");
});

test("an operator grants and revokes the administrator role and whitelisting, and lists who has them", async () => {
  const ops = await startOperator(api.deps);
  const { user } = await seedMember(api.deps, { email: "ada@example.com" });
  const administrators = (verb: string) => ops("administrators", verb, user.email, ...why);
  expect(await administrators("add")).toBe("0 ada@example.com is now an administrator.");
  expect(await administrators("add")).toBe("0 ada@example.com was already an administrator.");
  expect(await ops("administrators", "list")).toMatch(/^0 \S+ {2}ada@\S+ {2}since \S+ {2}by the operator\n1 in all\.$/);
  expect(await administrators("remove")).toBe("0 ada@example.com is no longer an administrator.");
  expect(await administrators("remove")).toBe("0 ada@example.com was not an administrator.");
  expect(await ops("administrators", "list")).toBe("0 There are no administrators.");

  const whitelist = (verb: string, ...emails: string[]) => ops("whitelist", verb, ...emails, ...why);
  expect(await whitelist("set", user.email)).toBe("0 ada@example.com  done");
  expect(await whitelist("set", user.email)).toBe("0 ada@example.com  no change needed");
  expect(await ops("whitelist", "list")).toMatch(
    /^0 \S+ {2}ada@\S+ {2}whitelisted {2}since \S+ {2}by the operator\nThat is all\.$/,
  );
  expect(await whitelist("unset", user.email, "ben@example.com")).toBe(
    "1 ada@example.com  done\nben@example.com  no member has this address",
  );
  expect(await ops("whitelist", "check", user.id)).toBe(`0 ${user.id}  ada@example.com  not whitelisted`);
  expect(await ops("whitelist", "list")).toBe("0 Nobody.");
});

test("blocking a member stops their sessions and machines immediately, until an operator unblocks them", async () => {
  const ops = await startOperator(api.deps);
  const [{ token, user }, other] = [
    await seedMember(api.deps, { email: "ada@example.com" }),
    await seedMember(api.deps),
  ];
  const { deviceKey } = await api.read(registerDevice, { token, body: { name: "attic" } });
  expect(await ops("members", "block", "ada@example.com", ...why)).toBe("0 ada@example.com is blocked.");
  expect(await ops("members", "block", user.id, ...why)).toBe("0 ada@example.com was already blocked.");

  expect(await api.call(readUser, { token })).toMatchObject({ status: 401 });
  expect(await beat(deviceKey)).toMatchObject({ status: 401 });
  expect(await signIn("ada@example.com")).toMatchObject({ status: 403, body: { message: BLOCKED } });
  expect(await api.call(readUser, { token: other.token })).toMatchObject({ status: 200 });
  expect(await ops("members", "show", user.id)).toContain("blocked since");

  expect(await ops("members", "unblock", "ada@example.com", ...why)).toBe("0 ada@example.com can sign in again.");
  expect(await ops("members", "unblock", "ada@example.com", ...why)).toBe("0 ada@example.com was not blocked.");
  expect(await signIn("ada@example.com")).toMatchObject({ status: 200 });
  expect(await beat(deviceKey)).toMatchObject({ status: 200 });
  expect(await readAudit(database.db)).toMatchObject([
    { action: "member.blocked", subjectId: user.id, reason: "Sold heartbeats", details: { ended: 1 } },
    { action: "member.unblocked", subjectId: user.id },
  ]);
});

test("without the password, a sign-in to a blocked account fails like one to any other or to none", async () => {
  const ops = await startOperator(api.deps);
  await seedMember(api.deps, { email: "ada@example.com" });
  await seedMember(api.deps, { email: "ben@example.com" });
  await ops("members", "block", "ada@example.com", ...why);
  const [blocked, free, nobody] = await Promise.all(
    ["ada@example.com", "ben@example.com", "nobody@example.com"].map((email) => signIn(email, "not the password")),
  );
  expect(blocked).toMatchObject({ status: 401, body: free?.body });
  expect(nobody?.body).toEqual(free?.body);
});
