import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { readAudit, seedAdministrator } from "../../tests/support/api/administration.ts";
import { seedMember } from "../../tests/support/api/api.ts";
import { openTestApi } from "../../tests/support/api/open-test-api.ts";
import { users } from "../db/schema.ts";
import { readWhitelisted } from "../onboarding/contract.ts";
import { checkWhitelisted, readWhitelist, setWhitelisted } from "./contract.ts";

const { api, clock } = await openTestApi();
const { db } = api.deps;

const reason = "Tests the network";
const set = (token: string, emails: string[], whitelisted = true) =>
  api.read(setWhitelisted, { token, body: { emails, whitelisted, reason } });
const check = (token: string, member: string) => api.read(checkWhitelisted, { token, body: { member } });

test("an administrator adds members to the whitelist and removes them, and each change is audited once", async () => {
  const admin = await seedAdministrator(api.deps, "admin@example.com");
  const [ada, ben] = [
    await seedMember(api.deps, { email: "ada@example.com" }),
    await seedMember(api.deps, { isWhitelisted: true }),
  ];
  const emails = ["ADA@example.com", ben.user.email, "nobody@example.com"];
  expect(await set(admin.token, emails)).toEqual({
    changed: 1,
    results: [
      { email: "ADA@example.com", outcome: "changed" },
      { email: ben.user.email, outcome: "unchanged" },
      { email: "nobody@example.com", outcome: "unknown" },
    ],
  });
  expect(await api.read(readWhitelisted, { token: ada.token })).toEqual({ isWhitelisted: true });
  expect((await set(admin.token, emails)).changed).toBe(0);

  clock.advance(1000);
  expect((await set(admin.token, ["ada@example.com"], false)).changed).toBe(1);
  expect(await api.read(readWhitelisted, { token: ada.token })).toEqual({ isWhitelisted: false });
  const about = { subject: "member", subjectId: ada.user.id, actor: "administrator", actorId: admin.user.id, reason };
  const entries = await readAudit(db);
  expect(entries).toMatchObject([
    { ...about, action: "whitelist.set" },
    { ...about, action: "whitelist.unset", at: clock.now() },
  ]);
  expect(JSON.stringify(entries)).not.toContain("@");
});

test("an address that is listed twice is counted once", async () => {
  const admin = await seedAdministrator(api.deps);
  await seedMember(api.deps, { email: "ada@example.com" });
  const emails = ["ada@example.com", "ADA@example.com", "nobody@example.com", "nobody@example.com"];
  expect(await set(admin.token, emails)).toEqual({
    changed: 1,
    results: [
      { email: "ada@example.com", outcome: "changed" },
      { email: "nobody@example.com", outcome: "unknown" },
    ],
  });
});

test("a full last page has no next page", async () => {
  const { token } = await seedAdministrator(api.deps);
  const { user } = await seedMember(api.deps, { isWhitelisted: true });
  const page = await api.read(readWhitelist, { token, query: { limit: 1 } });
  expect(page).toMatchObject({ members: [{ id: user.id }], next: null });
});

test("many concurrent requests change the whitelist once", async () => {
  const admin = await seedAdministrator(api.deps);
  const { user } = await seedMember(api.deps);
  const changes = await Promise.all(Array.from({ length: 20 }, () => set(admin.token, [user.email])));
  expect(changes.filter(({ changed }) => changed === 1)).toHaveLength(1);
  expect(await readAudit(db)).toHaveLength(1);
});

// specification: 6.9
test("a check says since when and by whom a member is whitelisted, if that is known", async () => {
  const admin = await seedAdministrator(api.deps, "admin@example.com");
  const [ada, ben] = [await seedMember(api.deps), await seedMember(api.deps, { isWhitelisted: true })];
  await set(admin.token, [ada.user.email]);
  const by = { kind: "administrator", id: admin.user.id, email: "admin@example.com" };
  const since = clock.now().toISOString();

  const standing = { id: ada.user.id, email: ada.user.email, isWhitelisted: true, since, by };
  expect(await check(admin.token, ada.user.email.toUpperCase())).toEqual(standing);
  expect(await check(admin.token, ada.user.id)).toEqual(standing);
  const neverNoted = { isWhitelisted: true, since: null, by: null };
  expect(await check(admin.token, ben.user.id)).toMatchObject(neverNoted);
  await set(admin.token, [ada.user.email], false);
  expect(await check(admin.token, ada.user.id)).toMatchObject({ isWhitelisted: false, since: null, by: null });
  await db.update(users).set({ isWhitelisted: true }).where(eq(users.id, ada.user.id));
  expect(await check(admin.token, ada.user.id)).toMatchObject(neverNoted);

  for (const member of ["nobody@example.com", crypto.randomUUID()]) {
    const unknown = await api.call(checkWhitelisted, { token: admin.token, body: { member } });
    expect(unknown).toMatchObject({ status: 404, body: { message: "No member has this address or id." } });
  }
});

test("returns the whitelist page by page, in the order of joining", async () => {
  const { token } = await seedAdministrator(api.deps);
  const ids: string[] = [];
  for (const isWhitelisted of [true, false, true, true]) {
    const { user } = await seedMember(api.deps, { isWhitelisted });
    if (isWhitelisted) ids.push(user.id);
  }
  const first = await api.read(readWhitelist, { token, query: { limit: 2 } });
  expect(first).toMatchObject({ members: [{ id: ids[0] }, { id: ids[1] }], next: ids[1] });
  const second = await api.read(readWhitelist, { token, query: { limit: 2, after: ids[1] } });
  expect(second).toMatchObject({ members: [{ id: ids[2], isWhitelisted: true }], next: null });
});

test.each([
  [{ emails: [], whitelisted: true, reason }, "Name at least one address."],
  [{ emails: ["ada"], whitelisted: true, reason }, "That is not an email address."],
  [{ emails: ["ada@example.com"], whitelisted: true }, "Enter a reason."],
  [{ emails: ["ada@example.com"], whitelisted: true, reason: "  " }, "Enter a reason."],
  [{ emails: ["ada@example.com"], whitelisted: true, reason: "\u200B\u2800\u3164" }, "Enter a reason."],
  [{ emails: ["ada@example.com"], whitelisted: true, reason: "x".repeat(501) }, "Use 500 characters at most."],
  [{ emails: Array(501).fill("ada@example.com"), whitelisted: true, reason }, "Name at most 500 addresses."],
])("rejects invalid input with a message and changes nothing (%#)", async (body, message) => {
  const { token } = await seedAdministrator(api.deps);
  const ada = await seedMember(api.deps, { email: "ada@example.com" });
  expect(await api.call(setWhitelisted, { token, body })).toMatchObject({ status: 400, body: { message } });
  expect(await api.read(readWhitelisted, { token: ada.token })).toEqual({ isWhitelisted: false });
  expect(await readAudit(db)).toEqual([]);
});
