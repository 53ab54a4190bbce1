import { randomBytes } from "node:crypto";
import { uuidv7 } from "uuidv7";
import { expect, test } from "vitest";
import { readAudit, seedAdministrator } from "../../tests/support/api/administration.ts";
import { createTestApi, fillForm, seedMember, TEST_PASSWORD } from "../../tests/support/api/api.ts";
import { tokenOf } from "../../tests/support/api/mailbox.ts";
import { openTestApi } from "../../tests/support/api/open-test-api.ts";
import { forgotPassword, login, openRecovery } from "../auth/contract.ts";
import { chainJobs, nodeDevices } from "../db/schema.ts";
import { inTransaction } from "../db/transaction.ts";
import { readEmailChange, requestEmailChange } from "../email-change/contract.ts";
import { NO_CLIENT } from "../http/client.ts";
import { postPoints } from "../points/service.ts";
import { ADJUSTMENT_RULE } from "../points/rules.ts";
import { readUser } from "../profile/contract.ts";
import { readSecurityActivity } from "../security-activity/contract.ts";
import { startSession } from "../sessions/service.ts";
import * as contract from "./contract.ts";

const { api, clock, database, mailbox } = await openTestApi();

const reason = "Asked for by mail";
const wallet = "0x00000000000000000000000000000000000000aB";

async function find(token: string, search?: string, after?: string) {
  const { items, next } = await api.read(contract.findMembers, { token, query: { search, after, limit: 2 } });
  return { emails: items.map(({ email }) => email), next };
}
const changeAddress = (token: string, id: string, email: string) =>
  api.call(contract.changeAddress, { token, params: { id }, body: { email, reason } });

async function signIn(email: string, headers = {}): Promise<number> {
  const turnstileToken = await fillForm(api, clock);
  return (await api.call(login, { body: { email, password: TEST_PASSWORD, turnstileToken }, headers })).status;
}

test("finds members by the start of their email address, page by page, and by id, wallet and code", async () => {
  const { token } = await seedAdministrator(api.deps, "zoe@example.com");
  const members = [];
  for (const email of ["Adam@example.com", "ada@example.com", "ada_b@example.com", "ben@example.com"]) {
    members.push(await seedMember(api.deps, { email, ...(email.startsWith("ben") && { wallet }) }));
  }
  const [, ada, , ben] = members;
  const first = await find(token, "ADA");
  expect(first.emails).toEqual(["ada@example.com", "ada_b@example.com"]);
  expect(await find(token, "ada", first.next ?? "")).toEqual({ emails: ["Adam@example.com"], next: null });
  // Neither character is a wildcard.
  expect(await find(token, "ad%")).toEqual({ emails: [], next: null });
  expect(await find(token, "ada_")).toEqual({ emails: ["ada_b@example.com"], next: null });
  expect(await find(token, ada?.user.id)).toEqual({ emails: ["ada@example.com"], next: null });
  expect(await find(token, wallet.toUpperCase().replace("0X", "0x"))).toMatchObject({ emails: ["ben@example.com"] });
  const code = ben?.user.personal_code ?? "";
  for (const typed of [code, code.toLowerCase()])
    expect(await find(token, typed)).toMatchObject({ emails: ["ben@example.com"] });

  const latest = await find(token);
  expect(latest.emails).toEqual(["ben@example.com", "ada_b@example.com"]);
  expect((await find(token, "", latest.next ?? "")).emails).toEqual(["ada@example.com", "Adam@example.com"]);
});

test("a search for a code lists its member first and once, before addresses that start with it", async () => {
  const { token } = await seedAdministrator(api.deps, "zoe@example.com");
  const { user } = await seedMember(api.deps, { email: "ben@example.com" });
  const code = user.personal_code ?? "";
  const others = ["a", "b", "c"].map((end) => `${code.toLowerCase()}${end}@example.com`);
  for (const email of others) await seedMember(api.deps, { email });
  const first = await find(token, code);
  expect(first.emails).toEqual(["ben@example.com", ...others.slice(0, 2)]);
  expect(await find(token, code, first.next ?? "")).toEqual({ emails: others.slice(2), next: null });
});

test("the search continues after an email address of maximum length", async () => {
  const { token } = await seedAdministrator(api.deps);
  const domain = `${"sub-domain.".repeat(17)}x.org`.padEnd(192, "g");
  const emails = ["a", "b", "c"].map((letter) => `${"x".repeat(60)}${letter}@${domain}`);
  for (const email of emails) await seedMember(api.deps, { email });
  const first = await find(token, "xxx");
  expect(first.next).toHaveLength(254);
  expect(await find(token, "xxx", first.next ?? "")).toEqual({ emails: emails.slice(2), next: null });
});

test("shows administrators an account, and its ledger page by page", async () => {
  const admin = await seedAdministrator(api.deps);
  const { user, token } = await seedMember(api.deps, { email: "ada@example.com", wallet });
  const entries = [10, 20, 30].map((points) => ({
    userId: user.id,
    rule: { ...ADJUSTMENT_RULE, category: "Others" as const },
    sourceId: String(points),
    points,
    comment: `Row of ${points}`,
    occurredAt: clock.now(),
  }));
  await inTransaction(database.db, (tx) => postPoints(tx, entries));
  // Failed once, and was started again.
  const consent = { userId: user.id, kind: "deploy" as const, owner: wallet.toLowerCase(), consentSignature: "0x" };
  const running = uuidv7();
  for (const [nth, state] of (["sent", "failed"] as const).entries()) {
    const createdAt = new Date(clock.now().getTime() - nth * 1000);
    const once = { consentDigest: `${nth}`, consentNonce: `${nth}`, stationNonce: `${nth}` };
    await database.db
      .insert(chainJobs)
      .values({ ...consent, ...once, id: nth === 0 ? running : uuidv7(), state, createdAt });
  }
  const account = await api.read(contract.readMember, { token: admin.token, params: { id: user.id } });
  expect(account).toMatchObject({
    email: "ada@example.com",
    wallet,
    isAdministrator: false,
    points: { total: 60, others: 60, rewards: 0 },
    sessions: [{ current: false }],
    machines: [],
    smartAccount: "sent",
    machineId: null,
    chainJobs: { smartAccount: running, machineId: null },
  });
  const read = (after?: string) =>
    api.read(contract.readEntries, { token: admin.token, params: { id: user.id }, query: { limit: 2, after } });
  const first = await read();
  const second = await read(first.next ?? "");
  const all = [...first.items, ...second.items].map(({ points }) => points);
  expect([all.toSorted((one, other) => one - other), second.next]).toEqual([[10, 20, 30], null]);
  expect([first.email, second.email]).toEqual(["ada@example.com", "ada@example.com"]);
  // Cursors that none of our links contain, with a year, an offset or a second that PostgreSQL does not accept.
  for (const at of ["0000-01-01T00:00:00Z", "2100-01-01T00:00:00+23:59", `2100-01-01T00:00:00.${"0".repeat(150)}Z`])
    expect(await read(`${at}_${user.id}`)).toEqual(first);
  expect(await api.call(contract.readMember, { token, params: { id: user.id } })).toMatchObject({ status: 403 });
  const nobody = { token: admin.token, params: { id: crypto.randomUUID() } };
  expect((await api.call(contract.readMember, nobody)).status).toBe(404);
  expect((await api.call(contract.readEntries, nobody)).status).toBe(404);
});

test("shows a machine whose key still works, however many were revoked since", async () => {
  const { token } = await seedAdministrator(api.deps);
  const { user } = await seedMember(api.deps);
  const machines = Array.from({ length: 201 }, (_, index) => ({
    id: uuidv7(),
    userId: user.id,
    name: `machine ${index}`,
    keyHash: randomBytes(32),
    createdAt: new Date(clock.now().getTime() + index),
    revokedAt: index === 0 ? null : clock.now(),
  }));
  await database.db.insert(nodeDevices).values(machines);
  const account = await api.read(contract.readMember, { token, params: { id: user.id } });
  expect(account.machines.filter(({ revokedAt }) => revokedAt === null)).toMatchObject([{ name: "machine 0" }]);
});

test("a member signs in with a changed address, and links sent to the old one stop working", async () => {
  const admin = await seedAdministrator(api.deps);
  const { user, token } = await seedMember(api.deps, { email: "old@example.com" });
  const turnstileToken = await fillForm(api, clock);
  await api.read(forgotPassword, { body: { email: "old@example.com", turnstileToken } });
  const link = tokenOf(await mailbox.read("old@example.com"));
  await api.read(requestEmailChange, { token, body: { email: "third@example.com", password: TEST_PASSWORD } });

  const answer = await changeAddress(admin.token, user.id, "New@example.com");
  expect(answer).toMatchObject({ status: 200, body: { changed: true, ended: 1 } });
  expect((await api.call(readUser, { token })).status).toBe(401);
  expect([await signIn("old@example.com"), await signIn("new@example.com")]).toEqual([401, 200]);
  expect((await api.call(openRecovery, { body: { token: link } })).status).toBe(410);
  const { token: later } = await startSession(api.deps, { userId: user.id, client: NO_CLIENT });
  expect((await api.read(readEmailChange, { token: later })).pending).toBeNull();

  await mailbox.deliver();
  const gone = mailbox.mails.find(({ to, subject }) => to === "old@example.com" && subject.includes("changed"));
  expect(gone?.text).not.toContain("new@example.com");
  const there = mailbox.mails.find(({ to, subject }) => to === "New@example.com" && subject.includes("this address"));
  // Somebody who has taken over the account knows its password, and could take it over again once the address is
  // restored.
  expect(there?.text).toContain("or somebody else may know it, choose a new one");
  expect(await readAudit(database.db)).toMatchObject([
    { action: "member.address-changed", subjectId: user.id, reason, details: { ended: 1 } },
  ]);
  expect(JSON.stringify(await readAudit(database.db))).not.toContain("@");

  // The same change again, as from a form that was sent twice.
  mailbox.mails.length = 0;
  expect(await changeAddress(admin.token, user.id, "New@example.com")).toMatchObject({
    body: { changed: false, ended: 0 },
  });
  await mailbox.deliver();
  expect(mailbox.mails.filter(({ subject }) => subject.includes("address"))).toEqual([]);

  await changeAddress(admin.token, user.id, "old@example.com");
  expect((await api.call(openRecovery, { body: { token: link } })).status).toBe(410);
});

test("the audit log names a member by the same id, even if the request writes it in capitals", async () => {
  const admin = await seedAdministrator(api.deps);
  const { user } = await seedMember(api.deps, { email: "old@example.com" });
  expect((await changeAddress(admin.token, user.id.toUpperCase(), "new@example.com")).status).toBe(200);
  expect(await readAudit(database.db)).toMatchObject([{ action: "member.address-changed", subjectId: user.id }]);
});

test("a change of address makes the member's browsers unknown", async () => {
  const admin = await seedAdministrator(api.deps);
  const { user } = await seedMember(api.deps, { email: "old@example.com" });
  const headers = { "X-Device-Token": "stranger".padEnd(43, "_") };
  await signIn("old@example.com", headers);
  await changeAddress(admin.token, user.id, "new@example.com");
  await signIn("new@example.com", headers);
  expect((await mailbox.read("new@example.com")).subject).toBe("New sign-in to your account");
});

test("shows the change of address in the member's security activity", async () => {
  const admin = await seedAdministrator(api.deps);
  const { user } = await seedMember(api.deps, { email: "old@example.com" });
  await changeAddress(admin.token, user.id, "new@example.com");
  const turnstileToken = await fillForm(api, clock);
  const body = { email: "new@example.com", password: TEST_PASSWORD, turnstileToken };
  const { access_token: token } = await api.read(login, { body });
  const { events } = await api.read(readSecurityActivity, { token: token ?? "", query: { page: 1, limit: 10 } });
  expect(events.map(({ kind }) => kind)).toContain("address-changed");
});

test("only one of fifty concurrent changes to the same address succeeds", async () => {
  const admin = await seedAdministrator(api.deps);
  const members = [];
  for (let each = 0; each < 50; each++) members.push(await seedMember(api.deps));
  const answers = await Promise.all(members.map(({ user }) => changeAddress(admin.token, user.id, "one@example.com")));
  const statuses = answers.map(({ status }) => status).toSorted((a, b) => a - b);
  expect(statuses).toEqual([200, ...Array<number>(49).fill(409)]);
  expect(answers.find(({ status }) => status === 409)?.body).toMatchObject({
    fields: { email: ["Another member has this address."] },
  });
  expect(await readAudit(database.db)).toHaveLength(1);
});

test("administrators cannot change another administrator's address or block themselves", async () => {
  const [admin, other] = [await seedAdministrator(api.deps), await seedAdministrator(api.deps)];
  expect((await changeAddress(admin.token, other.user.id, "mine@example.com")).status).toBe(409);
  const block = { token: admin.token, params: { id: admin.user.id }, body: { reason } };
  expect(await api.call(contract.blockMember, block)).toMatchObject({
    status: 409,
    body: { message: "You cannot block yourself." },
  });
  expect((await api.call(readUser, { token: admin.token })).status).toBe(200);
});

test("refuses to change an address that another service keeps", async () => {
  const remote = createTestApi(database, { now: clock.now, env: { authApiUrl: "http://auth.invalid" } });
  const admin = await seedAdministrator(remote.deps);
  const { user } = await seedMember(remote.deps);
  const params = { id: user.id };
  const answer = await remote.call(contract.changeAddress, {
    token: admin.token,
    params,
    body: { email: "new@example.com", reason },
  });
  expect(answer.status).toBe(422);
});

test("repeated requests block a member once and end each session once", async () => {
  const admin = await seedAdministrator(api.deps);
  const { user, token } = await seedMember(api.deps, { email: "ada@example.com" });
  const { sessions } = await api.read(contract.readMember, { token: admin.token, params: { id: user.id } });
  const ask = { token: admin.token, params: { id: user.id } };
  const end = (sessionId?: string) => api.call(contract.endSessions, { ...ask, body: { reason, sessionId } });
  // A session that is not this member's.
  expect((await end(crypto.randomUUID())).status).toBe(404);
  const ends = await Promise.all([end(sessions[0]?.id), end(sessions[0]?.id)]);
  expect(ends.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([200, 404]);
  expect((await api.call(readUser, { token })).status).toBe(401);
  // If the misspelt field were ignored, all sessions would end.
  const misspelt = { reason, sessionID: sessions[0]?.id };
  expect(await api.call(contract.endSessions, { ...ask, body: misspelt })).toMatchObject({
    status: 400,
    body: { message: 'There is no field "sessionID".' },
  });
  expect(await end()).toMatchObject({ body: { changed: false, ended: 0 } });

  const block = () => api.read(contract.blockMember, { ...ask, body: { reason } });
  expect((await Promise.all([block(), block(), block()])).filter(({ changed }) => changed)).toHaveLength(1);
  expect(await signIn("ada@example.com")).toBe(403);
  expect((await api.read(contract.unblockMember, { ...ask, body: { reason } })).changed).toBe(true);
  expect(await signIn("ada@example.com")).toBe(200);
  const actions = (await readAudit(database.db)).map(({ action }) => action);
  expect(actions).toEqual(["sessions.ended", "member.blocked", "member.unblocked"]);
});
