import { afterAll, afterEach, beforeEach, expect, test, vi } from "vitest";
import { createTestDeps, seedMember } from "../../../tests/support/api/api.ts";
import { watchLedger, type LedgerWatch } from "../../../tests/support/database/ledger-watch.ts";
import { startApp } from "../../../tests/support/servers/start-app.ts";
import { createTestDatabase } from "../../../tests/support/database/test-database.ts";
import type { JobResults } from "../../agent-insights/contract.ts";
import { inTransaction } from "../../db/transaction.ts";
import type { HeartbeatsResult } from "../../heartbeats/contract.ts";
import { countBeats } from "../../heartbeats/service.ts";
import { recordReferral } from "../../referrals/service.ts";
import { completeCampaign } from "../../campaigns/completions.ts";
import { saveCampaigns } from "../../campaigns/service.ts";
import { checkLedger } from "./rebuild.ts";

/*
 * Two server processes on one PostgreSQL get the same request at the same moment, over HTTP. While they answer, a
 * separate connection keeps comparing the ledger with its sums.
 */
const ROUNDS = 10;
const CLAIMS = 50;
const BEFORE = new Date("2026-01-01T00:00:00.000Z");
const MINUTE = 60_000;
// Each test takes a second or two on an idle machine. Their speed does not matter here.
vi.setConfig({ testTimeout: 5 * MINUTE });

const database = await createTestDatabase();
const { db, pool } = database;
const databaseUrl = pool.options.connectionString ?? "";
const deps = createTestDeps(database);
const settings = { LOG_LEVEL: "warn", HEARTBEAT_INTERVAL_SECONDS: "900" };
// On a busy machine the last of fifty requests waits longer than a request normally may.
const servers = await Promise.all([1, 2].map(() => startApp({ databaseUrl, settings, databaseTimeLimit: MINUTE })));
let watch: LedgerWatch;

beforeEach(async () => {
  await database.reset();
  watch = await watchLedger(databaseUrl);
});

afterEach(async () => {
  await watch.close();
});

afterAll(async () => {
  await Promise.all(servers.map((server) => server.close()));
  await database.close();
});

/** Checks that the ledger and its sums were always equal and still are, and that neither process logged a warning. */
async function expectOneTruth() {
  expect(watch.unequal).toEqual([]);
  expect(await checkLedger(db)).toEqual([]);
  expect(servers.map((server) => server.log())).toEqual(["", ""]);
}

type Answer<Body> = { status: number; body: Body };

/** Sends the nth of many requests. They alternate between the two processes. */
async function post<Body>(nth: number, path: string, token: string, body?: unknown): Promise<Answer<Body>> {
  const response = await fetch(`${servers[nth % servers.length]?.url}${path}`, {
    method: "POST",
    headers: {
      Authorization: `Bearer ${token}`,
      // Each request comes from a different address, because requests of one client would take turns.
      "X-Forwarded-For": `10.0.0.${nth}`,
      ...(body !== undefined && { "Content-Type": "application/json" }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: (await response.json()) as Body };
}

const claimAtOnce = (path: string, token: string) =>
  watch.during(Promise.all(Array.from({ length: CLAIMS }, (_, nth) => post<{ error?: string }>(nth, path, token))));

/** Checks that one request succeeded and all others got the conflict. */
function expectOneSuccess(answers: Answer<{ error?: string }>[]) {
  const outcomes = answers.map(({ body, status }) => `${status} ${body.error ?? ""}`.trim());
  expect(outcomes.toSorted()).toEqual(["200", ...Array<string>(CLAIMS - 1).fill("409 CONFLICT")]);
}

const seedMembers = async (count: number, wallet = false) => {
  const members: Awaited<ReturnType<typeof seedMember>>[] = [];
  for (let index = 0; index < count; index += 1) {
    members.push(await seedMember(deps, { accepted: [], ...(wallet && { wallet: `0x${index}` }) }));
  }
  return members;
};

const hundredBeats = (userId: string) =>
  Array.from({ length: 100 }, (_, index) => {
    const beatAt = new Date(BEFORE.getTime() + index * 15 * MINUTE);
    return { userId, beatAt, receivedAt: beatAt };
  });

/** Counts the ledger's entries per source. */
async function countEntries() {
  const { rows } = await pool.query<{ source: string; count: number }>(
    "select source, count(*)::integer as count from points_ledger group by 1 order by 1",
  );
  return Object.fromEntries(rows.map(({ count, source }) => [source, count]));
}

test("only one of 50 concurrent claims of a reward, from two processes, is paid", async () => {
  const campaign = {
    id: "follow",
    name: "Follow us",
    type: "social",
    formUrl: "https://nodebeat.test",
    bonusPoints: 250,
  };
  const members = await seedMembers(ROUNDS);
  await inTransaction(db, async (tx) => {
    await saveCampaigns(tx, [{ ...campaign, mandatory: true, buttonText: null, taskNumber: 1 }]);
    for (const { user } of members) {
      await completeCampaign(tx, { userId: user.id, campaignId: campaign.id, at: BEFORE });
    }
    await countBeats(
      tx,
      members.slice(0, ROUNDS / 2).flatMap(({ user }) => hundredBeats(user.id)),
      deps.env,
    );
  });

  // Half of the rounds claim the reward for heartbeats, where the ledger's own key decides.
  for (const [round, { token }] of members.entries()) {
    const id = round < ROUNDS / 2 ? "heartbeat" : campaign.id;
    expectOneSuccess(await claimAtOnce(`/api/campaigns/${id}/claim`, token));
  }

  expect(await countEntries()).toEqual({ campaign: ROUNDS, heartbeat: 100 * (ROUNDS / 2) });
  await expectOneTruth();
});

test("only one of 50 concurrent claims of a referral, from two processes, is paid", async () => {
  const inviters = await seedMembers(ROUNDS / 10);
  const friends = await seedMembers(ROUNDS, true);
  const invitations = await inTransaction(db, async (tx) => {
    const made: { id: string; token: string }[] = [];
    for (const [index, { user }] of friends.entries()) {
      const { token = "", user: inviter } = inviters[index % inviters.length] ?? {};
      await countBeats(tx, hundredBeats(user.id), deps.env);
      const joining = { inviterId: inviter?.id ?? "", inviteeId: user.id, at: BEFORE };
      made.push({ id: (await recordReferral(tx, joining)) ?? "", token });
    }
    return made;
  });

  for (const { id, token } of invitations) {
    expectOneSuccess(await claimAtOnce(`/api/campaigns/referral/${id}/claim`, token));
  }

  // One entry for the friend who joined, and one for the inviter.
  expect(await countEntries()).toEqual({ heartbeat: 100 * ROUNDS, referral: 2 * ROUNDS });
  await expectOneTruth();
});

/** Cuts a list into batches that repeat, overlap, and run in either direction. Every item is in at least one. */
function overlap<Item>(items: Item[]): Item[][] {
  const third = Math.floor(items.length / 3);
  const batches = [items, items, items.slice(0, 2 * third), items.slice(third), items.slice(third, 2 * third)];
  return [...batches, ...batches.map((batch) => batch.toReversed())];
}

const sum = (numbers: number[]) => numbers.reduce((total, number) => total + number, 0);

// Ten batches per round and two rounds per member, as many as a member may send at once.
test("each beat counts once in overlapping concurrent batches from two processes", async () => {
  const members = await seedMembers(ROUNDS / 2);
  const slots = 30;
  const now = Date.now();

  for (let round = 0; round < ROUNDS; round += 1) {
    const token = members[round % members.length]?.token ?? "";
    const first = Math.floor(round / members.length) * slots;
    const beats = Array.from({ length: slots }, (_, index) => ({
      timestamp: new Date(now - (first + index) * 15 * MINUTE).toISOString(),
    }));
    const batches = overlap(beats);
    const answers = await watch.during(
      Promise.all(batches.map((batch, nth) => post<HeartbeatsResult>(nth, "/api/heartbeats", token, { beats: batch }))),
    );
    expect(answers.map(({ status }) => status)).toEqual(batches.map(() => 200));
    expect(sum(answers.map(({ body }) => body.accepted))).toBe(slots);
    expect(answers.map(({ body }) => body.accepted + body.duplicates)).toEqual(batches.map(({ length }) => length));
  }

  expect(await countEntries()).toEqual({ heartbeat: ROUNDS * slots });
  await expectOneTruth();
});

test("each job and item counts once in overlapping concurrent batches from two processes", async () => {
  const members = await seedMembers(ROUNDS / 2);
  const inBatch = 6;
  const finishedAt = new Date().toISOString();

  for (let round = 0; round < ROUNDS; round += 1) {
    const token = members[round % members.length]?.token ?? "";
    const jobs = Array.from({ length: inBatch }, (_, index) => ({
      jobId: `${round}-${index}`,
      finishedAt,
      resultSize: 1000,
      // The next job contains the second item too.
      items: [index, index + 1].map((item) => ({ kind: "post", reference: `${round}-${item}`, title: "A post" })),
    }));
    const batches = overlap(jobs);
    const answers = await watch.during(
      Promise.all(batches.map((batch, nth) => post<JobResults>(nth, "/api/jobs/results", token, { jobs: batch }))),
    );
    expect(answers.map(({ status }) => status)).toEqual(batches.map(() => 200));
    expect(sum(answers.map(({ body }) => body.accepted))).toBe(inBatch);
    expect(sum(answers.map(({ body }) => body.items))).toBe(inBatch + 1);
  }

  expect(await countEntries()).toEqual({ content: ROUNDS * (inBatch + 1) });
  const { rows } = await pool.query("select sum(jobs)::integer as jobs, sum(posts)::integer as posts from jobs_daily");
  expect(rows).toEqual([{ jobs: ROUNDS * inBatch, posts: ROUNDS * (inBatch + 1) }]);
  await expectOneTruth();
});
