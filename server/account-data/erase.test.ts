import { eq, sql } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { fillForm, NO_CLIENT, seedMember, TEST_PASSWORD } from "../../tests/support/api/api.ts";
import { seedAdministrator } from "../../tests/support/api/administration.ts";
import { dumpDatabase } from "../../tests/support/database/dump-database.ts";
import { findSecrets } from "../../tests/support/find-secrets.ts";
import { seedFullMember } from "../../tests/support/seeds/full-member.ts";
import { eraseDueAccounts } from "../../tests/support/api/jobs.ts";
import { openTestApi } from "../../tests/support/api/open-test-api.ts";
import { OPERATOR } from "../administration/actor.ts";
import { readAdministrators } from "../administration/service.ts";
import { forgotPassword, login, signUp, verify } from "../auth/contract.ts";
import { createEmbeddedProvider } from "../auth/provider/embedded.ts";
import { auditEntries, pointsLedger, referrals, securityEvents, users } from "../db/schema.ts";
import { requestEmailChange } from "../email-change/contract.ts";
import { sendHeartbeats } from "../heartbeats/contract.ts";
import { createLog } from "../log/log.ts";
import { readPointsLog, readPointsLogDetail } from "../points/contract.ts";
import { checkLedger } from "../points/ledger/rebuild.ts";
import { readUser } from "../profile/contract.ts";
import { readReferrals } from "../referrals/contract.ts";
import { startSession } from "../sessions/service.ts";
import { DELETION_GRACE_SECONDS, keepAccount, requestDeletion } from "./contract.ts";

const lines: string[] = [];
const log = createLog({ level: "trace", destination: { write: (line) => void lines.push(line) } });
// In the past, so that a grace period that is over by this clock is over by the database's clock too.
const { api, clock, mailbox } = await openTestApi({ log }, "2026-01-20T12:00:00.000Z");
const { db } = api.deps;
const provider = createEmbeddedProvider(api.deps);
beforeEach(() => void (lines.length = 0));

const erase = () => eraseDueAccounts(api.deps, provider);

/** Asks for the deletion, then for another address as well, and lets the grace period and the minute after it pass. */
async function leave(token: string) {
  await api.read(requestDeletion, { token, body: { password: TEST_PASSWORD, understood: true } });
  await api.read(requestEmailChange, { token, body: { email: "ada.next@mail.example", password: TEST_PASSWORD } });
  clock.advance(DELETION_GRACE_SECONDS * 1000);
  expect(await erase()).toBe(0);
  clock.advance(60_000);
}

/** Returns the sums of the ledger for each member, and every entry without its text. */
async function readSums() {
  const { rows } = await db.execute(
    sql`select user_id, sum(points), count(*) from points_ledger group by 1 order by 1`,
  );
  const entries = await db.execute(sql`
    select user_id, id, category, points, source, rule, rule_version, occurred_at, posted_at
    from points_ledger order by user_id, id`);
  return { members: rows, entries: entries.rows };
}

/** Starts a new session for a member whose last one has been idle for too long. */
const resume = async ({ user: { id: userId } }: { user: { id: string } }) =>
  (await startSession(api.deps, { userId, client: NO_CLIENT })).token;

const refuseEmail = () => Promise.reject(new Error("no email today"));

test("an administrator whose account is deleted loses the role, which the audit log says", async () => {
  const { token, user } = await seedAdministrator(api.deps);
  await leave(token);
  expect(await erase()).toBe(1);
  expect(await readAdministrators(api.deps, OPERATOR)).toEqual([]);
  const entries = await db.select().from(auditEntries).where(eq(auditEntries.action, "administrator.removed"));
  expect(entries).toMatchObject([{ actorId: user.id, subjectId: user.id, reason: "Their account was deleted." }]);
});

test("a deletion removes everything that names the member, and keeps the ledger and its sums", async () => {
  const { token, user, personal } = await seedFullMember(api, clock);
  expect(findSecrets(await dumpDatabase(db), personal)).toHaveLength(personal.length - 1);
  const before = await readSums();

  await leave(token);
  expect(await erase()).toBe(1);

  const dump = await dumpDatabase(db);
  expect(findSecrets(dump, [...personal, token, user.email])).toEqual([]);
  expect(findSecrets(lines.join(""), personal)).toEqual([]);
  expect(dump).toContain(user.id);
  expect(await readSums()).toEqual(before);
  expect(await checkLedger(db)).toEqual([]);
  // What is left: the row itself, and the rows on which the ledger depends.
  const left = dump.split("\n").filter((row) => row.includes(user.id));
  expect(left.length).toBeGreaterThan(200);
  expect(await erase()).toBe(0);
});

// specification: 3.30, 3.32
test("the inviter of a deleted member keeps the points and sees an anonymous friend", async () => {
  const { token, inviter } = await seedFullMember(api, clock);
  await leave(token);
  await erase();
  const { referrals: friends, stats } = await api.read(readReferrals, { token: await resume(inviter) });
  expect(friends).toMatchObject([
    { inviteeEmail: null, inviteeUsername: null, status: "Success", inviteeHeartbeats: 110 },
  ]);
  expect(stats.totalReferralPoints).toBe(1000);
  const log = await api.read(readPointsLog, { token: await resume(inviter) });
  expect(log.data.map(({ comment }) => comment)).toEqual(["Anonymous reached 100 heartbeats"]);
  const params = { id: log.data[0]?.id ?? "" };
  const { source } = await api.read(readPointsLogDetail, { token: await resume(inviter), params });
  expect(source).toMatchObject({ title: "A friend joined with your link", name: null });
});

test("a deleted friend's claimable points stay claimable; pending ones stay pending and say why", async () => {
  const { token, user, inviter, referrals: invitations } = await seedFullMember(api, clock);
  await db.update(referrals).set({ claimedAt: null }).where(eq(referrals.id, invitations.own));
  const early = await seedMember(api.deps, { referralCode: inviter.user.personal_code ?? "" });
  await db.insert(referrals).values({
    inviterId: inviter.user.id,
    id: crypto.randomUUID(),
    inviteeId: early.user.id,
    invitedPoints: 1000,
    invitedAt: clock.now(),
  });
  await api.read(requestDeletion, { token: early.token, body: { password: TEST_PASSWORD, understood: true } });
  await leave(token);
  expect(await erase()).toBe(2);

  const list = await api.read(readReferrals, { token: await resume(inviter) });
  expect(list.referrals).toMatchObject([
    { inviteeEmail: null, status: "Claimable", canClaim: true, walletConnected: true },
    { inviteeEmail: null, status: "Pending", pendingReasons: ["left", "heartbeats", "wallet"] },
  ]);
  expect(user.id).not.toBe(early.user.id);
});

test("once a deletion is due, no session or key works, but signing in can still keep the account", async () => {
  const { token, deviceKey, user } = await seedFullMember(api, clock);
  await api.read(requestDeletion, { token, body: { password: TEST_PASSWORD, understood: true } });
  clock.advance(DELETION_GRACE_SECONDS * 1000);
  expect(await erase()).toBe(0);
  expect((await api.call(readUser, { token })).status).toBe(401);
  const beats = [{ timestamp: clock.now().toISOString() }];
  expect((await api.call(sendHeartbeats, { token: deviceKey, body: { beats } })).status).toBe(401);

  const body = { email: user.email, password: TEST_PASSWORD, turnstileToken: await fillForm(api, clock) };
  const { access_token: again } = await api.read(login, { body });
  await api.read(keepAccount, { token: again });
  clock.advance(60_000);
  await erase();
  expect((await api.read(readUser, { token: again })).email).toBe(user.email);
});

test("the last email confirms the deletion, and no queued email is sent after it", async () => {
  const { token, user } = await seedFullMember(api, clock);
  await mailbox.deliver();
  await leave(token);
  await erase();
  const { subject } = await mailbox.read(user.email);
  expect(subject).toBe("Your account has been deleted");
  const sent = mailbox.mails.length;
  await mailbox.deliver();
  expect(mailbox.mails).toHaveLength(sent);
  expect(findSecrets(await dumpDatabase(db), [user.email])).toEqual([]);
});

test("a stranger gets the same responses before, during and after the deletion", async () => {
  const { token, user } = await seedFullMember(api, clock);
  const { email } = user;
  const ask = async () => {
    clock.advance(24 * 3_600_000);
    const wrong = { email, password: "not the password", turnstileToken: await fillForm(api, clock) };
    const forgot = { email, turnstileToken: await fillForm(api, clock) };
    const answers = [await api.call(login, { body: wrong }), await api.call(forgotPassword, { body: forgot })];
    return answers.map(({ status, body }) => [status, Object.keys(body as object)]);
  };
  const known = await ask();
  await api.read(requestDeletion, { token, body: { password: TEST_PASSWORD, understood: true } });
  expect(await ask()).toEqual(known);
  clock.advance(DELETION_GRACE_SECONDS * 1000);
  await erase();
  clock.advance(60_000);
  expect(await erase()).toBe(1);
  expect(await ask()).toEqual(known);
});

test("a deleted member who returns is a new member, and is not paid for an invitation again", async () => {
  const { token, user, inviter } = await seedFullMember(api, clock);
  await leave(token);
  await erase();
  const referralCode = inviter.user.personal_code ?? "";
  // Another spelling of the same mailbox.
  const email = "adalovelace@mail.example";
  const body = { email, password: "a new pass phrase", referralCode, turnstileToken: await fillForm(api, clock) };
  const { signupToken } = await api.read(signUp, { body });
  const { code } = await mailbox.read(email);
  const verified = await api.read(verify, { body: { token: signupToken, verificationCode: code } });

  expect(verified.user.id).not.toBe(user.id);
  expect((await api.read(readPointsLog, { token: verified.accessToken })).total).toBe(0);
  const { referrals: friends } = await api.read(readReferrals, { token: await resume(inviter) });
  expect(friends[0]).toMatchObject({
    inviteeEmail: email,
    status: "Pending",
    pendingReasons: expect.arrayContaining(["review"]),
  });
});

test("a sign-up becomes a member without an inviter if the inviter is deleted before verification", async () => {
  const { token, user } = await seedFullMember(api, clock);
  await api.read(requestDeletion, { token, body: { password: TEST_PASSWORD, understood: true } });
  clock.advance(DELETION_GRACE_SECONDS * 1000);
  await erase();
  const referralCode = user.personal_code ?? "";
  const body = {
    email: "late@mail.example",
    password: "a pass phrase",
    referralCode,
    turnstileToken: await fillForm(api, clock),
  };
  const { signupToken } = await api.read(signUp, { body });
  const { code } = await mailbox.read("late@mail.example");
  clock.advance(60_000);
  expect(await erase()).toBe(1);
  const verified = await api.read(verify, { body: { token: signupToken, verificationCode: code } });
  expect(verified.user.invited_by).toBeNull();
});

test("only one of several concurrent processes deletes an account, with one email", async () => {
  const { token, user } = await seedFullMember(api, clock);
  await leave(token);
  const counts = await Promise.all([erase(), erase(), erase(), erase()]);
  expect(counts.toSorted()).toEqual([0, 0, 0, 1]);
  await mailbox.deliver();
  const last = mailbox.mails.filter(
    ({ to, subject }) => to === user.email && subject === "Your account has been deleted",
  );
  expect(last).toHaveLength(1);
});

test("a deletion that fails midway keeps the member and the ledger, and is retried", async () => {
  const { token, user } = await seedFullMember(api, clock);
  await leave(token);
  const failing = { ...api.deps, outbox: { ...api.deps.outbox, post: refuseEmail } };
  expect(await eraseDueAccounts(failing, provider)).toBe(0);
  expect(lines.join("")).toContain("a job failed: it is tried again");
  expect(await db.query.users.findFirst({ where: eq(users.id, user.id) })).toMatchObject({ email: user.email });
  expect(await checkLedger(db)).toEqual([]);
  clock.advance(60_000);
  expect(await erase()).toBe(1);
});

test("the database refuses other changes to the ledger, to a member's events and to deleted accounts", async () => {
  const { token, user, inviter } = await seedFullMember(api, clock);
  const forget = { comment: "Anonymous", sourceId: sql`${pointsLedger.id}::text` };
  const ofUser = eq(pointsLedger.userId, user.id);
  const refused = { cause: { message: expect.stringContaining("refused") } };
  await expect(db.update(pointsLedger).set(forget).where(ofUser)).rejects.toMatchObject(refused);
  await leave(token);
  await erase();
  const ledger = db.update(pointsLedger);
  await expect(ledger.set({ points: 5 }).where(ofUser)).rejects.toMatchObject(refused);
  await expect(ledger.set({ comment: "Something else" }).where(ofUser)).rejects.toMatchObject(refused);
  const ofInviter = eq(pointsLedger.userId, inviter.user.id);
  await expect(ledger.set({ occurredAt: clock.now() }).where(ofInviter)).rejects.toMatchObject(refused);
  await expect(ledger.set({ sourceId: "another" }).where(ofInviter)).rejects.toMatchObject(refused);
  await expect(db.delete(pointsLedger).where(ofUser)).rejects.toMatchObject(refused);
  await expect(db.delete(securityEvents)).resolves.toBeDefined();
  // Record an event of a member who stays.
  const body = { password: TEST_PASSWORD, understood: true };
  await api.read(requestDeletion, { token: await resume(inviter), body });
  await expect(db.delete(securityEvents)).rejects.toMatchObject(refused);
  const ofDeleted = eq(users.id, user.id);
  await expect(db.update(users).set({ deletedAt: null }).where(ofDeleted)).rejects.toMatchObject(refused);
  const half = db.update(users).set({ deletedAt: clock.now() }).where(eq(users.id, inviter.user.id));
  await expect(half).rejects.toMatchObject({ cause: { message: expect.stringContaining("users_deleted") } });
});
