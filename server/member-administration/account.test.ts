import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { seedAdministrator } from "../../tests/support/api/administration.ts";
import { seedMember } from "../../tests/support/api/api.ts";
import { openTestApi } from "../../tests/support/api/open-test-api.ts";
import { backgroundJobs, ledgerDays, monthlyTables, users } from "../db/schema.ts";
import { inTransaction } from "../db/transaction.ts";
import { registerDevice, sendHeartbeats } from "../heartbeats/contract.ts";
import { refuseHeldReferral, releaseHeldReferral } from "../referrals/contract.ts";
import { recordReferral } from "../referrals/service.ts";
import { readEntries, readMember } from "./contract.ts";

/* What an administrator sees on the page of a member who asks where their points are. */

const { api, clock } = await openTestApi();

test("shows which heartbeats of an account were refused, and why", async () => {
  const admin = await seedAdministrator(api.deps);
  const [{ token, user }, other] = [await seedMember(api.deps), await seedMember(api.deps)];
  const { deviceKey } = await api.read(registerDevice, { token, body: { name: "attic" } });
  const now = clock.now().toISOString();
  const ahead = new Date(clock.now().getTime() + 3_600_000).toISOString();
  const beats = [{ timestamp: now }, { timestamp: ahead }];
  await api.read(sendHeartbeats, { token: deviceKey, body: { beats } });
  const read = async (id: string) => (await api.read(readMember, { token: admin.token, params: { id } })).refusedBeats;
  const message = expect.stringContaining("clock");
  expect(await read(user.id)).toEqual([
    { claimedAt: ahead, receivedAt: now, reason: "too_early", message, device: "attic" },
  ]);
  expect(await read(other.user.id)).toEqual([]);
});

test("shows whether the invitation of an account is held, released or refused", async () => {
  const { token } = await seedAdministrator(api.deps);
  const inviter = await seedMember(api.deps, { email: "ada@example.com" });
  const [paid, unpaid, another] = [
    await seedMember(api.deps, { email: "ada+2@example.com" }),
    await seedMember(api.deps, { email: "ada+3@example.com" }),
    await seedMember(api.deps, { email: "ben@example.com" }),
  ];
  const invite = async ({ user }: typeof paid) => {
    const joining = { inviterId: inviter.user.id, inviteeId: user.id, at: clock.now() };
    return (await inTransaction(api.deps.db, (tx) => recordReferral(tx, joining))) ?? "";
  };
  const read = async ({ user }: typeof paid) =>
    (await api.read(readMember, { token, params: { id: user.id } })).heldInvitation;
  const [first, second] = [await invite(paid), await invite(unpaid)];
  await invite(another);
  expect(await Promise.all([inviter, paid, unpaid, another].map(read))).toEqual([
    null,
    { id: first, standing: "held" },
    { id: second, standing: "held" },
    null,
  ]);
  const body = { reason: "Looked at" };
  await api.read(releaseHeldReferral, { token, params: { id: first }, body });
  await api.read(refuseHeldReferral, { token, params: { id: second }, body });
  expect(await Promise.all([paid, unpaid].map(read))).toEqual([
    { id: first, standing: "released" },
    { id: second, standing: "refused" },
  ]);
});

test("lists the same ledger entries as the member's log, and says since when heartbeats are listed", async () => {
  const { db } = api.deps;
  const admin = await seedAdministrator(api.deps);
  const { token, user } = await seedMember(api.deps);
  const read = async () => {
    const { heartbeatsSince, items } = await api.read(readEntries, { token: admin.token, params: { id: user.id } });
    return [items.length, heartbeatsSince];
  };
  const yesterday = new Date(clock.now().getTime() - 86_400_000).toISOString();
  const beats = [{ timestamp: clock.now().toISOString() }, { timestamp: yesterday }];
  await api.read(sendHeartbeats, { token, body: { beats } });
  expect(await read()).toEqual([2, null]);
  // As if this month had been summed up while its rows are still there.
  const keptFrom = new Date("2026-11-20T00:00:00.000Z");
  const table = { name: "points_ledger", keptFrom };
  await db.insert(monthlyTables).values(table).onConflictDoUpdate({ target: monthlyTables.name, set: table });
  const gone = { userId: user.id, day: "2026-11-19", category: "Connectivity" as const, points: 25, entries: 1 };
  await db.insert(ledgerDays).values(gone);
  expect(await read()).toEqual([1, keptFrom.toISOString()]);
});

test("shows which emails to an account wait or were given up, and nobody else's", async () => {
  const { db, outbox } = api.deps;
  const admin = await seedAdministrator(api.deps);
  const [{ user }, other] = [await seedMember(api.deps), await seedMember(api.deps)];
  const read = async (id: string) =>
    (await api.read(readMember, { token: admin.token, params: { id } })).emails?.map(({ state, lastError }) => {
      return { state, lastError };
    });
  const content = { to: user.email.toUpperCase(), subject: "Hello", paragraphs: ["There you are."], note: "A test." };
  await inTransaction(db, (tx) => outbox.post(tx, content));
  expect([await read(user.id), await read(other.user.id)]).toEqual([[{ state: "waiting", lastError: null }], []]);
  const lastError = "550 No such mailbox";
  await db.update(backgroundJobs).set({ deadAt: clock.now(), lastError });
  expect(await read(user.id)).toEqual([{ state: "given up", lastError }]);

  await db.update(users).set({ campaignEmail: "elsewhere@example.com" }).where(eq(users.id, user.id));
  await inTransaction(db, (tx) => outbox.post(tx, { ...content, to: "elsewhere@example.com" }));
  expect(await read(user.id)).toHaveLength(2);
});
