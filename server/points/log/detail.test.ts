import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { seedMember } from "../../../tests/support/api/api.ts";
import { openTestApi } from "../../../tests/support/api/open-test-api.ts";
import { recordContributions } from "../../agent-insights/service.ts";
import { monthlyTables } from "../../db/schema.ts";
import { inTransaction } from "../../db/transaction.ts";
import { registerDevice, sendHeartbeats } from "../../heartbeats/contract.ts";
import { countBeats } from "../../heartbeats/service.ts";
import { claimReferral, recordReferral } from "../../referrals/service.ts";
import { completeCampaign } from "../../campaigns/completions.ts";
import { saveCampaigns } from "../../campaigns/service.ts";
import { claimReward } from "../../rewards/service.ts";
import { sumPoints } from "../amount.ts";
import { readPointsLog, readPointsLogDetail } from "../contract.ts";
import { findDetail } from "./detail.queries.ts";
import { postPoints } from "../service.ts";
import { HEARTBEAT_RULE } from "../../heartbeats/earning.ts";
import { CAMPAIGN_RULE } from "../../rewards/earning.ts";
import { GENESIS_RULE } from "../rules.ts";

const { api, clock, database } = await openTestApi({ env: { heartbeatIntervalSeconds: 900 } });
const { db } = api.deps;

const HOUR = 60 * 60 * 1000;
const hoursAgo = (hours: number) => new Date(clock.now().getTime() - hours * HOUR);

const readLog = (token: string) => api.read(readPointsLog, { token, query: { limit: 100 } });
const readDetail = (token: string, id = "") => api.read(readPointsLogDetail, { token, params: { id } });

/** Reads the detail of the member's newest row. */
async function readNewest(token: string) {
  const { data } = await readLog(token);
  return readDetail(token, data[0]?.id);
}

test("the detail of a heartbeat names its machine, its rule, and when it was sent and posted", async () => {
  const { token } = await seedMember(api.deps);
  const { deviceKey } = await api.read(registerDevice, { token, body: { name: "Raspberry Pi" } });
  const timestamp = hoursAgo(3).toISOString();
  await api.read(sendHeartbeats, { token: deviceKey, body: { beats: [{ timestamp }] } });

  const detail = await readNewest(token);

  expect(detail).toEqual({
    id: expect.any(String),
    category: "Connectivity",
    points: 25,
    comment: "Heartbeat",
    timestamp,
    postedAt: expect.any(String),
    source: {
      kind: "heartbeat",
      id: timestamp,
      title: "Heartbeat from your node",
      name: "Raspberry Pi",
      occurredAt: timestamp,
    },
    rule: {
      name: "points-per-heartbeat",
      version: 1,
      text: "Each heartbeat that counts earns 25 points. One counts in each interval of 15 minutes, whichever machine sent it.",
      points: 25,
    },
    runningTotal: 25,
    categoryTotal: 25,
  });
  expect(Math.abs(Date.parse(detail.postedAt) - Date.now())).toBeLessThan(HOUR);
});

test("a row that was posted with a different amount than its rule gives today says so", async () => {
  const { user, token } = await seedMember(api.deps);
  const beat = { userId: user.id, beatAt: hoursAgo(1), receivedAt: clock.now() };
  const before = { heartbeatIntervalSeconds: 900, pointsPerHeartbeat: 1000.5 };
  await inTransaction(db, (tx) => countBeats(tx, [beat], before));

  const { rule } = await readNewest(token);

  expect(rule.points).toBe(25);
  expect(rule.text).toMatch(/earns 25 points\..* When this entry was posted, the rule gave 1\.000,5\.$/);
});

test("the inviter sees which friend joined, but the friend does not see who invited them", async () => {
  const [ada, bob] = [await seedMember(api.deps), await seedMember(api.deps, { wallet: "0xb0b" })];
  const beats = Array.from({ length: 100 }, (_, index) => {
    return { userId: bob.user.id, beatAt: hoursAgo(index + 1), receivedAt: clock.now() };
  });
  await inTransaction(db, async (tx) => {
    await countBeats(tx, beats, api.deps.env);
    const id = await recordReferral(tx, { inviterId: ada.user.id, inviteeId: bob.user.id, at: hoursAgo(0.5) });
    await claimReferral(tx, { inviterId: ada.user.id, id: id ?? "", at: clock.now() });
  });

  const claimed = await readNewest(ada.token);
  expect(claimed.source).toMatchObject({
    title: "A friend joined with your link",
    name: bob.user.email,
    occurredAt: hoursAgo(0.5).toISOString(),
  });
  expect(claimed.rule.text).toContain("1.000 points");

  const joined = await readNewest(bob.token);
  expect(joined).toMatchObject({ runningTotal: 3500, categoryTotal: 1000 });
  expect(joined.source).toMatchObject({ title: "You joined with a friend's link", name: null });
  expect(JSON.stringify(joined)).not.toContain(ada.user.email);
});

const FORM = { id: "follow", name: "Follow us on X", type: "form", formUrl: "https://x.test", taskNumber: 1 };
const FOLLOW = { ...FORM, bonusPoints: 250, mandatory: false, buttonText: null };

test("the detail of a reward has its name, when it was completed, and its points", async () => {
  const { user, token } = await seedMember(api.deps);
  await inTransaction(db, async (tx) => {
    await saveCampaigns(tx, [FOLLOW]);
    await completeCampaign(tx, { userId: user.id, campaignId: "follow", at: hoursAgo(5) });
    await claimReward(tx, { userId: user.id, campaignId: "follow", at: hoursAgo(1) });
  });

  expect(await readNewest(token)).toMatchObject({
    timestamp: hoursAgo(1).toISOString(),
    source: { title: "Reward claimed", name: "Follow us on X", occurredAt: hoursAgo(5).toISOString() },
    rule: { name: "campaign-bonus", points: 250 },
  });
});

test.each([
  ["profile", 5],
  ["post", 2],
  ["comment", 0.5],
] as const)("the detail of a %s has its title", async (kind, points) => {
  const { user, token } = await seedMember(api.deps);
  const item = { userId: user.id, kind, reference: "https://a.test/x:y", title: "A title", gatheredAt: hoursAgo(2) };
  await inTransaction(db, (tx) => recordContributions(tx, [item], api.deps.env));

  expect(await readNewest(token)).toMatchObject({
    source: { title: `A ${kind} that your node gathered`, name: "A title", occurredAt: hoursAgo(2).toISOString() },
    rule: {
      points,
      text: `Each ${kind} that your node gathers earns ${String(points).replace(".", ",")} points, once. All that it gathers on one day (UTC) earns 5.000 points at most.`,
    },
  });
});

/** Creates a member who does the same as another one, at a different minute. */
async function seedAlike(machine: string, name: string, minutes: number) {
  const { token, user } = await seedMember(api.deps);
  const at = new Date(hoursAgo(3).getTime() + minutes * 60_000);
  const { deviceKey } = await api.read(registerDevice, { token, body: { id: machine, name } });
  await api.read(sendHeartbeats, { token: deviceKey, body: { beats: [{ timestamp: at.toISOString() }] } });
  const item = { userId: user.id, kind: "post", reference: "1", title: name, gatheredAt: at } as const;
  await inTransaction(db, async (tx) => {
    await recordContributions(tx, [item], api.deps.env);
    await completeCampaign(tx, { userId: user.id, campaignId: "follow", at });
    await claimReward(tx, { userId: user.id, campaignId: "follow", at: clock.now() });
  });
  return { name, at: at.toISOString(), token };
}

test("two members with the same machine, item or completion each see their own", async () => {
  await inTransaction(db, (tx) => saveCampaigns(tx, [FOLLOW]));
  const machine = crypto.randomUUID();
  for (const { at, name, token } of [await seedAlike(machine, "Ada's", 1), await seedAlike(machine, "Bob's", 2)]) {
    const { data } = await readLog(token);
    const details = await Promise.all(data.map(({ id }) => readDetail(token, id)));
    const told = Object.fromEntries(details.map(({ source }) => [source.kind, [source.name, source.occurredAt]]));
    expect(told).toEqual({ heartbeat: [name, at], content: [name, at], campaign: ["Follow us on X", at] });
  }
});

test("a row of an unknown rule has the name of the rule but no description", async () => {
  const { user, token } = await seedMember(api.deps);
  const rule = { source: "airdrop", rule: "spring-airdrop", version: 3, category: "Others" } as const;
  const item = { userId: user.id, kind: "post", reference: "1", title: "A post", gatheredAt: hoursAgo(2) } as const;
  await inTransaction(db, (tx) => saveCampaigns(tx, [FOLLOW]));
  await inTransaction(db, (tx) => recordContributions(tx, [item], api.deps.env));
  // Named like a campaign and like an item, although the rule has nothing to do with either.
  for (const sourceId of ["follow", "post:1"]) {
    const entry = { userId: user.id, rule, sourceId, points: 7, comment: "Airdrop", occurredAt: clock.now() };
    await inTransaction(db, (tx) => postPoints(tx, [entry]));
    expect(await readNewest(token)).toMatchObject({
      source: { kind: "airdrop", id: sourceId, title: "airdrop", name: null, occurredAt: null },
      rule: { name: "spring-airdrop", version: 3, text: null, points: null },
    });
  }
});

test("the running totals add up row by row, across days and for many rows of one instant", async () => {
  const { user, token } = await seedMember(api.deps);
  const rules = [HEARTBEAT_RULE, CAMPAIGN_RULE, GENESIS_RULE];
  const entries = Array.from({ length: 60 }, (_, index) => ({
    userId: user.id,
    rule: rules[index % 3] ?? GENESIS_RULE,
    // A separate slot for each heartbeat.
    sourceId: new Date(hoursAgo(index < 20 ? 30 : index * 4).getTime() - index).toISOString(),
    points: index % 7 === 0 ? -1.25 : index + 0.1,
    comment: `Event ${index}`,
    // Twenty at one instant, and the others spread over ten days.
    occurredAt: index < 20 ? hoursAgo(30) : hoursAgo(index * 4),
  }));
  await inTransaction(db, (tx) => postPoints(tx, entries));

  const oldestFirst = (await readLog(token)).data.toReversed();
  expect(oldestFirst).toHaveLength(60);
  for (const [index, { category, id }] of oldestFirst.entries()) {
    const until = oldestFirst.slice(0, index + 1);
    expect(await readDetail(token, id)).toMatchObject({
      runningTotal: sumPoints(until.map(({ points }) => points)),
      categoryTotal: sumPoints(until.filter((row) => row.category === category).map(({ points }) => points)),
    });
  }
});

test("the running total reads daily sums, and the rows of one day only, by index", async () => {
  const { user, token } = await seedMember(api.deps);
  // One row per hour for a hundred days.
  const entries = Array.from({ length: 2400 }, (_, index) => ({
    userId: user.id,
    rule: HEARTBEAT_RULE,
    sourceId: hoursAgo(index).toISOString(),
    points: 25,
    comment: "Heartbeat",
    occurredAt: hoursAgo(index),
  }));
  await inTransaction(db, (tx) => postPoints(tx, entries));
  await db.execute(sql`analyze`);
  const { data } = await readLog(token);

  const { params, sql: text } = findDetail(db).getQuery();
  const values = params.map((param) => {
    const { name } = param as { name: string };
    return name === "userId" ? user.id : data[0]?.id;
  });
  const { rows } = await database.pool.query<{ "QUERY PLAN": string }>(`explain (analyze, costs off) ${text}`, values);
  const plan = rows.map((row) => row["QUERY PLAN"]).join("\n");

  expect(plan).not.toMatch(/Seq Scan on points_ledger/);
  expect(plan).toMatch(/points_ledger_by_time/);
  const rowsRead = Array.from(plan.matchAll(/rows=([\d.]+) loops/g), ([, count]) => Number(count));
  expect(rowsRead.length).toBeGreaterThan(0);
  expect(Math.max(...rowsRead)).toBeLessThan(150);
});

test("a row of a month that was summed up is not found, even while it still exists", async () => {
  const { token } = await seedMember(api.deps);
  await api.read(sendHeartbeats, { token, body: { beats: [{ timestamp: hoursAgo(3).toISOString() }] } });
  const { id } = await readNewest(token);
  const table = { name: "points_ledger", keptFrom: clock.now() };
  await db.insert(monthlyTables).values(table).onConflictDoUpdate({ target: monthlyTables.name, set: table });
  expect(await api.call(readPointsLogDetail, { token, params: { id } })).toMatchObject({ status: 404 });
});

test("another member's row or an unknown row is not found", async () => {
  const [ada, bob] = [await seedMember(api.deps), await seedMember(api.deps)];
  const entry = { rule: GENESIS_RULE, sourceId: "snapshot", points: 10, comment: "Snapshot", occurredAt: clock.now() };
  await inTransaction(db, (tx) => postPoints(tx, [{ ...entry, userId: ada.user.id }]));
  const { data } = await readLog(ada.token);

  for (const id of [data[0]?.id ?? "", crypto.randomUUID()]) {
    const { status, body } = await api.call(readPointsLogDetail, { token: bob.token, params: { id } });
    expect([status, body]).toEqual([404, { message: "There is no such entry.", error: "NOT_FOUND", statusCode: 404 }]);
  }
  expect((await api.call(readPointsLogDetail, { params: { id: crypto.randomUUID() } })).status).toBe(401);
  expect((await api.call(readPointsLogDetail, { token: bob.token, params: { id: "1" } })).status).toBe(400);
});
