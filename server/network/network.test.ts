import { eq, sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { seedAdministrator } from "../../tests/support/api/administration.ts";
import { fillForm, seedMember, TEST_PASSWORD } from "../../tests/support/api/api.ts";
import { tokenOf } from "../../tests/support/api/mailbox.ts";
import { openTestApi } from "../../tests/support/api/open-test-api.ts";
import { erasePersonalData } from "../account-data/erase.queries.ts";
import { signUp, verify } from "../auth/contract.ts";
import {
  adjustmentRequests,
  campaigns,
  campaignSubmissions,
  heartbeatTotals,
  referrals,
  sessions,
  users,
} from "../db/schema.ts";
import { inTransaction } from "../db/transaction.ts";
import { HEARTBEAT_REWARD_ID, HEARTBEATS_REQUIRED } from "../heartbeats/contract.ts";
import type { PointsCategory } from "../points/contract.ts";
import { ADJUSTMENT_RULE } from "../points/rules.ts";
import { postPoints } from "../points/service.ts";
import { startOfUtcDay } from "../points/utc-day.ts";
import { recordReferral } from "../referrals/service.ts";
import { claimReward } from "../rewards/contract.ts";
import { readOverview } from "./contract.ts";
import * as queries from "./queries.ts";
import { sumNetworkDays } from "./service.ts";

const { api, clock, mailbox } = await openTestApi();
const { db } = api.deps;

const HOUR = 60 * 60 * 1000;

const post = (userId: string, points: number, category: PointsCategory, occurredAt = clock.now()) =>
  inTransaction(db, (tx) =>
    postPoints(tx, [
      { userId, rule: { ...ADJUSTMENT_RULE, category }, sourceId: `${points}`, points, comment: "A row", occurredAt },
    ]),
  );

test("the overview shows what the job has summed up, and counts nothing twice if the job runs again", async () => {
  const admin = await seedAdministrator(api.deps);
  const [ada, ben, gone] = [await seedMember(api.deps), await seedMember(api.deps), await seedMember(api.deps)];
  const overview = () => api.read(readOverview, { token: admin.token });
  expect(await overview()).toMatchObject({ summedAt: null, members: { total: 0 }, heldReferrals: 0 });

  const joinAt = (id: string, createdAt: string) =>
    db
      .update(users)
      .set({ createdAt: new Date(createdAt) })
      .where(eq(users.id, id));
  await joinAt(ada.user.id, "2026-11-09T12:00:00Z");
  await joinAt(ben.user.id, "2026-11-20T00:00:00Z");
  await inTransaction(db, (tx) => erasePersonalData(tx, { userId: gone.user.id, now: clock.now() }));
  await post(ada.user.id, 100, "Rewards", new Date("2026-11-10T00:00:00Z"));
  await post(ada.user.id, 30.5, "Rewards");
  await post(ben.user.id, 12, "Rewards");
  await post(ada.user.id, 3, "Connectivity");
  await post(ada.user.id, 7, "Others");
  // Exactly an hour ago and exactly a day ago no longer count.
  const silences = [HOUR - 1, HOUR, 24 * HOUR];
  for (const [index, { user }] of [ada, ben, admin].entries()) {
    const lastBeatAt = new Date(clock.now().getTime() - (silences[index] ?? 0));
    await db
      .insert(heartbeatTotals)
      .values({ userId: user.id, heartbeats: 1, lastBeatAt })
      .onConflictDoUpdate({ target: heartbeatTotals.userId, set: { lastBeatAt } });
  }
  await inTransaction(db, (tx) =>
    recordReferral(tx, { inviterId: ada.user.id, inviteeId: ben.user.id, at: clock.now() }),
  );
  const at = clock.now();
  await db.update(referrals).set({ claimedAt: at });
  const held = { invitedPoints: 1000, invitedAt: at, heldAt: at };
  const refused = { ...held, reviewedAt: at, review: "refused" as const };
  await db.insert(referrals).values([
    { ...held, id: crypto.randomUUID(), inviterId: ada.user.id, inviteeId: admin.user.id },
    { ...refused, id: crypto.randomUUID(), inviterId: ben.user.id, inviteeId: ada.user.id },
  ]);
  const survey = { id: "survey", name: "Survey", type: "form", formUrl: "https://forms.example", bonusPoints: 1 };
  await db.insert(campaigns).values({ ...survey, mandatory: false, taskNumber: 1 });
  await db.insert(campaignSubmissions).values([
    { userId: ada.user.id, campaignId: "survey", completedAt: at, claimedAt: at },
    { userId: ben.user.id, campaignId: "survey", completedAt: at },
  ]);

  const expected = {
    summedAt: clock.now().toISOString(),
    members: { total: 3, joinedToday: 3, leftToday: 1 },
    heard: { inHour: 1, inDay: 2 },
    points: { connectivity: 3, referral: 1000, rewards: 42.5, others: 7 },
    claims: 2,
    heldReferrals: 1,
  };
  // The first time, all days are summed up in several steps.
  expect([await sumNetworkDays(api.deps), await sumNetworkDays(api.deps)]).toEqual([{ again: 0 }, undefined]);
  expect(await overview()).toMatchObject(expected);
  expect(await sumNetworkDays(api.deps)).toBeUndefined();
  expect(await overview()).toMatchObject(expected);

  await post(ada.user.id, 2, "Connectivity");
  await post(ben.user.id, 1, "Rewards");
  await post(ada.user.id, 4, "Others");
  await db.update(campaignSubmissions).set({ claimedAt: at });
  await sumNetworkDays(api.deps);
  const points = { connectivity: 5, referral: 1000, rewards: 43.5, others: 11 };
  expect(await overview()).toMatchObject({ ...expected, points, claims: 3 });

  // The next day starts at zero, and totals are kept.
  clock.advance(14 * 60 * 1000);
  await db.execute(sql`update sessions set password_at = ${new Date(clock.now().getTime() + 12 * HOUR).toISOString()}`);
  clock.advance(12 * HOUR);
  expect(await overview()).toMatchObject({ members: { total: 3, joinedToday: 0 }, points: { rewards: 0 }, claims: 0 });
  // A member who joins as the day begins only counts for that day.
  await joinAt((await seedMember(api.deps)).user.id, "2026-11-21T00:00:00Z");
  await sumNetworkDays(api.deps);
  expect(await overview()).toMatchObject({ members: { total: 4, joinedToday: 1, leftToday: 0 }, claims: 0 });
});

test("counts a member who joined as a day ended, but was stored after the next one was summed up", async () => {
  const { token, user } = await seedAdministrator(api.deps);
  await db.update(users).set({ createdAt: clock.now() }).where(eq(users.id, user.id));
  await sumNetworkDays(api.deps);
  const late = await seedMember(api.deps);
  const createdAt = new Date(startOfUtcDay(clock.now()).getTime() - 1);
  await db.update(users).set({ createdAt }).where(eq(users.id, late.user.id));
  await sumNetworkDays(api.deps);
  expect(await api.read(readOverview, { token })).toMatchObject({ members: { total: 2, joinedToday: 1 } });
});

test("counts the reward for heartbeats on the day on which it is claimed", async () => {
  const { token, user } = await seedAdministrator(api.deps);
  const claims = async () => (await api.read(readOverview, { token })).claims;
  await db.insert(heartbeatTotals).values({ userId: user.id, heartbeats: HEARTBEATS_REQUIRED });
  await post(user.id, 5, "Rewards");
  await sumNetworkDays(api.deps);
  expect(await claims()).toBe(0);
  await api.read(claimReward, { token, params: { id: HEARTBEAT_REWARD_ID } });
  await sumNetworkDays(api.deps);
  expect(await claims()).toBe(1);

  clock.advance(24 * HOUR);
  await db.update(sessions).set({ lastSeenAt: clock.now(), passwordAt: clock.now() });
  await post(user.id, 6, "Rewards");
  await sumNetworkDays(api.deps);
  expect(await claims()).toBe(0);
});

test("a day of heartbeats has 24 hours, also where the database's clocks were set back", async () => {
  const { user } = await seedMember(api.deps);
  const now = new Date("2026-10-25T12:00:00Z");
  const lastBeatAt = new Date(now.getTime() - 24.5 * HOUR);
  await db.insert(heartbeatTotals).values({ userId: user.id, heartbeats: 1, lastBeatAt });
  const { rows } = await inTransaction(db, async (tx) => {
    await tx.execute(sql`set local timezone = 'Europe/Berlin'`);
    return tx.execute(queries.describeDay({ day: "2026-10-25", isToday: true, now }));
  });
  expect(rows).toMatchObject([{ in_hour: 0, in_day: 0 }]);
});

test("counts a sign-up as unconfirmed only while it can still be confirmed", async () => {
  const admin = await seedAdministrator(api.deps);
  const unconfirmed = async () => (await api.read(readOverview, { token: admin.token })).unconfirmed;
  for (const email of ["ada@nodebeat.test", "ben@nodebeat.test"]) {
    const turnstileToken = await fillForm(api, clock);
    await api.read(signUp, { body: { email, password: TEST_PASSWORD, turnstileToken } });
  }
  expect(await unconfirmed()).toBe(2);
  await api.read(verify, { body: { token: tokenOf(await mailbox.read("ada@nodebeat.test")) } });
  expect(await unconfirmed()).toBe(1);
  await db.execute(sql`update sign_ups set expires_at = ${clock.now().toISOString()}`);
  expect(await unconfirmed()).toBe(0);
});

test("a day that a clock ahead has begun changes no other day, and is counted when it comes", async () => {
  const admin = await seedAdministrator(api.deps);
  const overview = () => api.read(readOverview, { token: admin.token });
  const join = async (userId: string) => db.update(users).set({ createdAt: clock.now() }).where(eq(users.id, userId));
  await join(admin.user.id);
  await sumNetworkDays(api.deps);
  await sumNetworkDays({ ...api.deps, now: () => new Date(clock.now().getTime() + 72 * HOUR) });
  expect(await overview()).toMatchObject({ members: { total: 1, joinedToday: 1 } });
  await join((await seedMember(api.deps)).user.id);
  await sumNetworkDays(api.deps);
  const summedAt = clock.now().toISOString();
  expect(await overview()).toMatchObject({ summedAt, members: { total: 2, joinedToday: 2 } });

  // The job does not run until that day.
  clock.advance(24 * HOUR);
  await join((await seedMember(api.deps)).user.id);
  clock.advance(48 * HOUR);
  await db.update(sessions).set({ lastSeenAt: clock.now(), passwordAt: clock.now() });
  await sumNetworkDays(api.deps);
  expect(await overview()).toMatchObject({ members: { total: 3, joinedToday: 0 } });
});

test("counts adjustments that a second administrator can still decide on", async () => {
  const { token, user } = await seedAdministrator(api.deps);
  const { user: former } = await seedMember(api.deps);
  const at = clock.now();
  const request = { userId: user.id, category: "Others" as const, points: 5, reason: "Asked", requestedBy: user.id };
  const times = { requestedAt: at, expiresAt: new Date(at.getTime() + HOUR) };
  const beforeRole = new Date(at.getTime() - 1);
  const declined = { decision: "declined" as const, decidedBy: user.id, decidedAt: at };
  await db.insert(adjustmentRequests).values([
    { ...request, ...times, id: crypto.randomUUID(), key: "open" },
    { ...request, ...times, id: crypto.randomUUID(), key: "late", expiresAt: at },
    { ...request, ...times, ...declined, id: crypto.randomUUID(), key: "declined" },
    // Whose requester has no role any more, or has it again since.
    { ...request, ...times, id: crypto.randomUUID(), key: "void", requestedBy: former.id },
    { ...request, ...times, id: crypto.randomUUID(), key: "void again", requestedAt: beforeRole },
  ]);
  expect((await api.read(readOverview, { token })).adjustmentRequests).toBe(1);
});

test("reports background jobs by kind", async () => {
  const { token } = await seedAdministrator(api.deps);
  const at = clock.now().toISOString();
  await db.execute(sql`insert into background_jobs (kind, key, due_at, dead_at) values
    ('mail', 'a', ${at}::timestamptz - interval '90 s', null), ('mail', 'b', ${at}, null), ('mail', 'c', ${at}, ${at})`);
  const { queue, chain } = await api.read(readOverview, { token });
  expect(queue).toEqual([{ kind: "mail", queued: 2, dead: 1, oldestDueSeconds: 90 }]);
  expect(chain).toEqual({ isOk: true, problem: null, jobs: [] });
});
