import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { readAudit } from "../../../tests/support/api/administration.ts";
import { seedMember } from "../../../tests/support/api/api.ts";
import { hourlyBeats } from "../../../tests/support/seeds/beats.ts";
import { openTestApi } from "../../../tests/support/api/open-test-api.ts";
import { OPERATOR } from "../../administration/actor.ts";
import { inTransaction } from "../../db/transaction.ts";
import { recordContributions } from "../../agent-insights/service.ts";
import { countBeats } from "../../heartbeats/service.ts";
import { claimReferral, recordReferral } from "../../referrals/service.ts";
import { checkLedger, describeDifference, rebuildLedger } from "./rebuild.ts";
import { postPoints, readStats } from "../service.ts";
import { CAMPAIGN_RULE } from "../../rewards/earning.ts";

const { api, clock } = await openTestApi();
const { db } = api.deps;
const ACT = { actor: OPERATOR, reason: "A sum was wrong" };

/** Creates a member who has something in every sum, and a friend they invited. */
async function seedHistory() {
  const [member, friend] = [await seedMember(api.deps), await seedMember(api.deps, { wallet: "0xabc" })];
  const [userId, inviteeId] = [member.user.id, friend.user.id];
  const at = clock.now();
  await inTransaction(db, async (tx) => {
    await countBeats(tx, [...hourlyBeats(userId, 30, at), ...hourlyBeats(inviteeId, 100, at)], api.deps.env);
    const id = await recordReferral(tx, { inviterId: userId, inviteeId, at });
    await claimReferral(tx, { inviterId: userId, id: id ?? "", at });
    const item = { userId, kind: "post" as const, reference: "1", title: "A post", gatheredAt: at };
    await recordContributions(tx, [item], api.deps.env);
    await postPoints(tx, [{ userId, rule: CAMPAIGN_RULE, sourceId: "c", points: 250.5, comment: "C", occurredAt: at }]);
  });
  return { userId, inviteeId };
}

/** Corruptions of each kind of sum: changed, lost, and invented. */
const corruptions = [
  ["points_totals", sql`update points_totals set rewards = rewards + 0.01`, ["points_totals", "points_totals"]],
  ["points_totals", sql`delete from points_totals where rewards > 0`, ["points_totals"]],
  ["points_daily", sql`update points_daily set points = 0 where category = 'Others'`, ["points_daily"]],
  ["points_daily", sql`update points_daily set entries = entries - 1 where category = 'Rewards'`, ["points_daily"]],
  ["points_daily", sql`delete from points_daily where category = 'Rewards'`, ["points_daily"]],
  [
    "points_daily",
    sql`insert into points_daily select user_id, '2020-01-01', 'Others', 5, 1 from points_totals where rewards > 0`,
    ["points_daily"],
  ],
  ["heartbeat_totals", sql`update heartbeat_totals set heartbeats = 31 where heartbeats = 30`, ["heartbeat_totals"]],
  [
    "heartbeat_totals",
    sql`update heartbeat_totals set last_beat_at = null where heartbeats = 30`,
    ["heartbeat_totals"],
  ],
  ["referral_totals", sql`update referral_totals set successful = 0, points = 0`, ["referral_totals"]],
  ["content_totals", sql`delete from content_totals`, ["content_totals"]],
] as const;

test("a correct ledger needs no repair", async () => {
  await seedHistory();
  expect(await rebuildLedger(api.deps, ACT)).toEqual([]);
});

test.each(corruptions)("finds and repairs a planted error in %s (%#)", async (_, corrupt, tables) => {
  const { userId } = await seedHistory();
  const before = await readStats(api.deps, userId);
  await db.execute(corrupt);

  const found = await checkLedger(db);
  expect(found.map(({ table }) => table)).toEqual(tables);
  expect(await rebuildLedger(api.deps, ACT)).toEqual(found);

  expect(await checkLedger(db)).toEqual([]);
  expect(await readStats(api.deps, userId)).toEqual(before);
});

test("the check reports its progress by table, and the repair by member", async () => {
  const { userId } = await seedHistory();
  await db.execute(sql`update points_totals set connectivity = connectivity + 1`);
  const told: string[] = [];
  const report = (line: string) => void told.push(line);
  const differences = await checkLedger(db, report);
  expect(told).toHaveLength(5);
  expect(told[2]).toBe("Comparing points_totals with what it sums (3 of 5).");

  const members = new Set(differences.map(({ userId }) => userId)).size;
  await rebuildLedger({ ...api.deps, report }, ACT);
  expect(told.slice(10)).toEqual(
    Array.from({ length: members }, (_, index) => `${index + 1} of ${members} members corrected.`),
  );
  expect(members).toBeGreaterThan(1);

  await db.execute(sql`update points_totals set connectivity = connectivity + 1 where user_id = ${userId}`);
  await rebuildLedger({ ...api.deps, report }, ACT);
  expect(told.at(-1)).toBe("1 of 1 member corrected.");
});

test("describes a difference in one line, with its table, member and values", async () => {
  const { userId } = await seedHistory();
  await db.execute(sql`update points_daily set points = 1, entries = 9 where category = 'Rewards'`);

  const [found] = await checkLedger(db);

  expect(found && describeDifference(found)).toBe(
    `points_daily of ${userId}, 2026-11-20 Rewards: points 1 should be 250.5, entries 9 should be 1`,
  );
});

test("a repair is recorded in the audit log with exactly what was wrong", async () => {
  const { userId } = await seedHistory();
  await db.execute(sql`update points_daily set points = 1 where category = 'Rewards'`);
  await rebuildLedger(api.deps, ACT);
  const differences = [`points_daily of ${userId}, 2026-11-20 Rewards: points 1 should be 250.5`];
  expect(await readAudit(db)).toMatchObject([
    { action: "ledger.rebuilt", subject: "member", subjectId: userId, details: { differences } },
  ]);
});

test("a repair while members earn points loses nothing and counts nothing twice", async () => {
  const { userId } = await seedHistory();
  await db.execute(sql`update points_totals set connectivity = 7, rewards = 7`);
  await db.execute(sql`delete from points_daily`);
  const post = (index: number) =>
    inTransaction(db, (tx) =>
      postPoints(tx, [
        { userId, rule: CAMPAIGN_RULE, sourceId: `now ${index}`, points: 10, comment: "C", occurredAt: clock.now() },
      ]),
    );

  await Promise.all([
    ...Array.from({ length: 10 }, (_, index) => post(index)),
    rebuildLedger(api.deps, ACT),
    ...Array.from({ length: 10 }, (_, index) => post(10 + index)),
  ]);

  expect(await checkLedger(db)).toEqual([]);
  expect((await readStats(api.deps, userId)).points_total).toBe(30 * 25 + 1000 + 250.5 + 2 + 20 * 10);
});
