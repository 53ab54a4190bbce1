import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createTestApi, createTestClock, createTestDeps, fillForm } from "../../../tests/support/api/api.ts";
import { createTestDatabase } from "../../../tests/support/database/test-database.ts";
import { login } from "../../auth/contract.ts";
import { readContentPointsHistory } from "../../agent-insights/contract.ts";
import { readHeartbeatStatus } from "../../heartbeats/contract.ts";
import { readPrivacyStatus, readTermsStatus } from "../../legal/contract.ts";
import { readOnboarded, readWhitelisted } from "../../onboarding/contract.ts";
import { readPointsHistory, readStats } from "../../points/contract.ts";
import { checkLedger } from "../../points/ledger/rebuild.ts";
import { readUptime } from "../../heartbeats/uptime.ts";
import { readProfile } from "../../profile/service.ts";
import { readReferrals } from "../../referrals/service.ts";
import { readSubmissions } from "../../rewards/service.ts";
import { seedDemo } from "./seed-demo.ts";

const database = await createTestDatabase();
const clock = createTestClock("2026-11-20T14:19:00.000Z");
const api = createTestApi(database, { now: clock.now });
afterAll(() => database.close());

const password = "a demo password";

async function signIn(secret = password, email = "demo@nodebeat.test") {
  const turnstileToken = await fillForm(api, clock);
  return api.read(login, { body: { email, password: secret, turnstileToken } });
}

const count = async (query: string): Promise<number> =>
  Number((await database.pool.query(`select count(*) as count from ${query}`)).rows[0]?.count);

describe("the network that the first start creates", () => {
  let isNew: boolean;
  beforeAll(async () => {
    await database.reset();
    isNew = await seedDemo(api.deps, { password });
  });
  // Set the password back: another test may have changed it.
  beforeEach(() => seedDemo(api.deps, { password }));

  test("looks lived in to the demo member, who can sign in", async () => {
    expect(isNew).toBe(true);
    const { access_token: token, user } = await signIn();

    const stats = await api.read(readStats, { token });
    expect(stats).toMatchObject({ total_referrals: 17, successful_referrals: 12, total_referral_points: 12_000 });
    expect(stats.heartbeats).toBeGreaterThan(1500);
    expect(stats.points_today).toBeGreaterThan(100);
    expect(stats.points_breakdown.every(({ percentage }) => Number(percentage) > 1)).toBe(true);
    expect(stats.last_heartbeat_at).toBe("2026-11-20T14:15:00.000Z");

    const week = await api.read(readPointsHistory, { token, query: { range: "last7days" } });
    expect(new Set(week.history.data.map(({ total }) => total)).size).toBe(7);
    for (const category of ["connectivity", "referral", "rewards"] as const) {
      expect(week.history.data.filter((day) => day[category] > 0).length).toBeGreaterThanOrEqual(2);
    }
    expect((await api.read(readContentPointsHistory, { token })).data).toHaveLength(5);
    expect(await api.read(readHeartbeatStatus, { token })).toMatchObject({ completed: true, claimed: true });
    expect(await api.read(readOnboarded, { token })).toEqual({ success: true });
    expect(await api.read(readTermsStatus, { token })).toMatchObject({ istosAccepted: true });
    expect(await api.read(readPrivacyStatus, { token })).toMatchObject({ isppAccepted: true });

    const { referrals } = await readReferrals(api.deps, user.id, { page: 1, limit: 25 });
    const inState = (state: string) => referrals.filter(({ status }) => status === state).length;
    expect([inState("Success"), inState("Claimable"), inState("Pending")]).toEqual([12, 2, 3]);
    const campaigns = await readSubmissions(api.deps, user.id);
    expect(campaigns.filter(({ claimable }) => claimable)).toHaveLength(1);
    const toDo = campaigns.filter(({ completed }) => !completed);
    expect(toDo.map(({ campaignId }) => campaignId)).toEqual(["week-of-beats"]);

    // What the page shows of the member fits what they have and have not claimed.
    const { percent } = await readUptime(api.deps, user.id, { range: "last7days" });
    expect(percent).toBeLessThan(100);
    expect(Object.values(await readProfile(api.deps, user.id)).filter((value) => value === null)).toHaveLength(1);
  });

  test("has members, months and sums as real use would have left them", async () => {
    expect(await checkLedger(database.db)).toEqual([]);
    expect(await count("users")).toBe(139);
    expect(await count("users where onboarded_at is null")).toBeGreaterThan(3);
    expect(await count("users where is_whitelisted")).toBeGreaterThan(3);
    expect(await count("points_ledger where occurred_at > '2026-11-20T14:19:30Z'")).toBe(0);
    expect(await count("points_ledger join users on users.id = user_id where occurred_at < created_at")).toBe(0);
    expect(await count("points_daily where day < '2026-08-20'")).toBeGreaterThan(50);
    expect(await count("referrals where claimed_at is not null and claimed_at < invited_at")).toBe(0);
    // Each friend had 100 heartbeats when their inviter claimed the points.
    const early = `referrals where claimed_at is not null and 100 > (
      select count(*) from heartbeats where user_id = invitee_id and beat_at <= claimed_at)`;
    expect(await count(early)).toBe(0);
  });

  test("has a second member to sign in as, who is whitelisted and has yet to accept the terms", async () => {
    const { access_token: token } = await signIn(password, "tester@nodebeat.test");
    expect(await api.read(readWhitelisted, { token })).toEqual({ isWhitelisted: true });
    expect(await api.read(readTermsStatus, { token })).toMatchObject({ istosAccepted: false });
    expect(await api.read(readPrivacyStatus, { token })).toMatchObject({ isppAccepted: true });
    expect(await api.read(readOnboarded, { token })).toEqual({ success: true });
    expect((await api.read(readStats, { token })).heartbeats).toBeGreaterThan(100);
  });

  test("a second start creates nothing, and only its password signs in", async () => {
    const entries = await count("points_ledger");

    expect(await seedDemo(api.deps, { password: "another password" })).toBe(false);

    expect(await count("points_ledger")).toBe(entries);
    await expect(signIn(password)).rejects.toThrow("401");
    for (const email of ["demo@nodebeat.test", "tester@nodebeat.test"]) {
      expect((await signIn("another password", email)).user.email).toBe(email);
    }
  });
});

describe("on an empty database", () => {
  beforeEach(() => database.reset());
  /** With one beat a day, seeding takes a moment. */
  const small = createTestDeps(database, { now: clock.now, env: { heartbeatIntervalSeconds: 86_400 } });

  /** Seeds at the start of a day, and returns how many beats counted. */
  async function countSeeded(heartbeatIntervalSeconds: number) {
    await database.reset();
    const deps = createTestDeps(database, {
      now: () => new Date("2026-11-20T00:00:01Z"),
      env: { heartbeatIntervalSeconds },
    });
    await seedDemo(deps, { password });
    expect(await checkLedger(database.db)).toEqual([]);
    return count("heartbeats");
  }

  test("creates the same network on the same day, with a heartbeat interval of a second or a day", async () => {
    const [seconds, days, again] = [await countSeeded(1), await countSeeded(86_400), await countSeeded(86_400)];

    expect(days).toBeLessThan(seconds);
    expect(again).toBe(days);
  });

  test("two servers that start at the same time create one network", async () => {
    const made = await Promise.all([seedDemo(small, { password }), seedDemo(small, { password })]);

    expect(made.toSorted()).toEqual([false, true]);
    expect(await count("users where email = 'demo@nodebeat.test'")).toBe(1);
  });

  test("adds the second member once to a network that was created without one", async () => {
    await seedDemo(small, { password });
    await database.pool.query(
      "update users set email = 'old', email_key = 'old' where email_key = 'tester@nodebeat.test'",
    );

    const made = await Promise.all([seedDemo(small, { password }), seedDemo(small, { password })]);

    expect(made).toEqual([false, false]);
    expect(await count("users where email_key = 'tester@nodebeat.test' and is_whitelisted")).toBe(1);
  });

  test("an interrupted start leaves no part of a network", async () => {
    // The ledger refuses this amount after all members are registered.
    const failing = { ...small, env: { ...small.env, pointsPerHeartbeat: 0.001 } };
    await expect(seedDemo(failing, { password })).rejects.toThrow(RangeError);

    expect(await count("users")).toBe(0);
    expect(await count("campaigns")).toBe(0);
    expect(await seedDemo(small, { password })).toBe(true);
  });

  test("leaves a database alone that has members", async () => {
    await database.pool.query(
      `insert into users (id, email, email_key, password_hash) values (gen_random_uuid(), 'a@b.test', 'a@b.test', 'x')`,
    );

    expect(await seedDemo(api.deps, { password })).toBe(false);
    expect(await count("users")).toBe(1);
  });
});
