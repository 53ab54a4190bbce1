import { randomUUID } from "node:crypto";
import { afterAll, beforeEach, expect, test } from "vitest";
import { BY_OPERATOR } from "../../tests/support/api/administration.ts";
import { createTestApi, createTestClock, fillForm, seedMember, TEST_PASSWORD } from "../../tests/support/api/api.ts";
import { readEventsOf } from "../../tests/support/api/event-reader.ts";
import { deliverDue } from "../../tests/support/api/jobs.ts";
import { createMeasuredApp, readMetricLines } from "../../tests/support/servers/measured-app.ts";
import { takeConnections } from "../../tests/support/database/take-connections.ts";
import { createTestDatabase } from "../../tests/support/database/test-database.ts";
import { announce } from "../announcements/announce.queries.ts";
import type { AnnouncedType } from "../announcements/contract.ts";
import { forgotPassword, login } from "../auth/contract.ts";
import { completeCampaign } from "../campaigns/completions.ts";
import { saveCampaigns } from "../campaigns/service.ts";
import { backgroundJobs, chainJobs } from "../db/schema.ts";
import { inTransaction } from "../db/transaction.ts";
import { registerDevice, revokeDevice, sendHeartbeats } from "../heartbeats/contract.ts";
import { readEvents } from "../live/contract.ts";
import { claimReward } from "../rewards/contract.ts";
import { addWebhook, removeWebhook } from "../webhooks/endpoints.ts";
import { openOutgoing } from "../webhooks/outgoing.ts";
import { pauseWebhook, resumeWebhook } from "../webhooks/pause.ts";

const SECOND = 1000;
const DAY = 24 * 60 * 60 * SECOND;
const database = await createTestDatabase();
const { db } = database;
const clock = createTestClock();
beforeEach(() => database.reset());
afterAll(() => database.close());

/** Opens a server that has counted nothing yet. */
function open() {
  const api = createTestApi(database, { now: clock.now });
  return { api, ...createMeasuredApp(api.deps, database) };
}

const queue = (kind: string, dueInSeconds: number, rest: Partial<typeof backgroundJobs.$inferInsert> = {}) =>
  db
    .insert(backgroundJobs)
    .values({ kind, key: randomUUID(), dueAt: new Date(clock.now().getTime() + dueInSeconds * SECOND), ...rest });

test("measures the queue by kind: how many jobs wait, and how long the oldest has been due", async () => {
  const { scrape } = open();
  await queue("mail", -90);
  await queue("mail", -30);
  await queue("mail", 600);
  await queue("mail", -900, { deadAt: clock.now() });
  await queue("tidy-up", 60);
  const text = await scrape();
  expect(readMetricLines(text, "jobs")).toEqual([`jobs{kind="mail"} 3`, `jobs{kind="tidy-up"} 1`]);
  expect(readMetricLines(text, "oldest_due_job_seconds")).toEqual([
    `oldest_due_job_seconds{kind="mail"} 90`,
    `oldest_due_job_seconds{kind="tidy-up"} 0`,
  ]);
});

test("queries the queue at most once every five seconds", async () => {
  const { scrape } = open();
  await queue("mail", 0);
  await Promise.all([scrape(), scrape()]);
  await db.delete(backgroundJobs);
  clock.advance(4 * SECOND);
  expect(readMetricLines(await scrape(), "jobs")).toEqual([`jobs{kind="mail"} 1`]);
  clock.advance(SECOND);
  expect(readMetricLines(await scrape(), "jobs")).toEqual([]);
  await queue("mail", 0);
  // Set the clock back.
  clock.advance(-DAY);
  expect(readMetricLines(await scrape(), "jobs")).toEqual([`jobs{kind="mail"} 1`]);
});

test("while no connection is free, answers without the queue and counts the waiting requests", async () => {
  const { scrape } = open();
  await queue("mail", 0);
  expect(readMetricLines(await scrape(), "jobs")).toEqual([`jobs{kind="mail"} 1`]);
  clock.advance(5 * SECOND);
  const most = database.usage().most;
  const giveBack = await takeConnections(database.pool);
  const text = await scrape().finally(giveBack);
  for (const name of ["jobs", "held_webhook_messages"]) expect(readMetricLines(text, name)).toEqual([]);
  expect(readMetricLines(text, "database_connections")).toEqual([
    `database_connections{state="idle"} 0`,
    `database_connections{state="in_use"} ${most}`,
  ]);
  expect([...readMetricLines(text, "database_connections_max"), ...readMetricLines(text, "database_waiting")]).toEqual([
    `database_connections_max ${most}`,
    "database_waiting 1",
  ]);
});

test("shows the queue even if the messages of paused webhooks cannot be counted", async () => {
  const { scrape } = open();
  await queue("mail", 0);
  await database.pool.query("alter table webhook_deliveries rename to elsewhere");
  const text = await scrape();
  await database.pool.query("alter table elsewhere rename to webhook_deliveries");
  expect(readMetricLines(text, "jobs")).toEqual([`jobs{kind="mail"} 1`]);
  expect(readMetricLines(text, "held_webhook_messages")).toEqual([]);
});

test("counts chain jobs by state until they are finalized", async () => {
  const { api, scrape } = open();
  for (const [index, state] of (["queued", "sent", "sent", "finalized"] as const).entries()) {
    const { user } = await seedMember(api.deps);
    const id = randomUUID();
    const consent = { owner: "0x", consentDigest: id, consentNonce: "1", consentSignature: "0x00" };
    const rest = { stationNonce: String(index), createdAt: clock.now() };
    await db.insert(chainJobs).values({ id, userId: user.id, kind: "deploy", state, ...consent, ...rest });
    if (state !== "finalized") await queue("chain", 0, { key: id });
  }
  const text = await scrape();
  expect(readMetricLines(text, "chain_jobs")).toEqual([`chain_jobs{state="queued"} 1`, `chain_jobs{state="sent"} 2`]);
  expect(readMetricLines(text, "jobs")).toContain(`jobs{kind="chain"} 3`);
});

test("counts the messages of paused webhooks and the age of the oldest until they are resumed", async () => {
  const { api, scrape } = open();
  const events: AnnouncedType[] = ["member.verified"];
  const outgoing = openOutgoing(["a secret of the tests, long enough for a key"], { toPrivate: false });
  const [paused, other] = [
    await addWebhook({ ...api.deps, outgoing }, BY_OPERATOR, { url: "https://hooks.example.com/", events }),
    await addWebhook({ ...api.deps, outgoing }, BY_OPERATOR, { url: "https://other.example.com/", events }),
  ];
  const happen = (subject: string) =>
    inTransaction(db, (tx) =>
      announce(tx, { type: "member.verified", subject, at: clock.now(), data: { memberId: subject } }),
    );
  const read = async () => {
    const text = await scrape();
    return ["held_webhook_messages", "oldest_held_webhook_message_seconds", "jobs"].flatMap((name) =>
      readMetricLines(text, name),
    );
  };
  expect(await read()).toEqual(["held_webhook_messages 0", "oldest_held_webhook_message_seconds 0"]);
  await happen("ada");
  await pauseWebhook(api.deps, BY_OPERATOR, paused);
  clock.advance(60 * SECOND);
  await removeWebhook(api.deps, BY_OPERATOR, other);
  expect(await read()).toEqual([
    "held_webhook_messages 1",
    "oldest_held_webhook_message_seconds 60",
    `jobs{kind="webhook"} 1`,
  ]);
  await resumeWebhook(api.deps, BY_OPERATOR, paused);
  clock.advance(60 * SECOND);
  expect(await read()).toEqual([
    "held_webhook_messages 0",
    "oldest_held_webhook_message_seconds 0",
    `jobs{kind="webhook"} 1`,
    `jobs{kind="webhook-backlog"} 1`,
  ]);
});

const at = (milliseconds: number) => ({ timestamp: new Date(clock.now().getTime() + milliseconds).toISOString() });

test("counts heartbeats by outcome", async () => {
  const { api, scrape } = open();
  const { token } = await seedMember(api.deps);
  const { deviceId, deviceKey } = await api.read(registerDevice, { token, body: { name: "attic" } });
  const beats = [at(0), at(0), at(90 * SECOND), at(-8 * DAY), at(-9 * DAY)];
  await api.read(sendHeartbeats, { token: deviceKey, body: { beats } });
  await api.read(revokeDevice, { token, params: { id: deviceId } });
  await api.call(sendHeartbeats, { token: deviceKey, body: { beats: [at(0)] } });
  expect(readMetricLines(await scrape(), "heartbeats_total")).toEqual([
    `heartbeats_total{outcome="counted"} 1`,
    `heartbeats_total{outcome="duplicate"} 1`,
    `heartbeats_total{outcome="revoked_key"} 1`,
    `heartbeats_total{outcome="too_early"} 1`,
    `heartbeats_total{outcome="too_late"} 2`,
  ]);
});

test("counts claims once they are committed, and duplicates apart from them", async () => {
  const { api, scrape } = open();
  const { token, user } = await seedMember(api.deps);
  const looks = { name: "Survey", type: "social", formUrl: "https://nodebeat.example/", buttonText: null };
  const campaign = { ...looks, bonusPoints: 5, taskNumber: 1, mandatory: false };
  await inTransaction(db, async (tx) => {
    await saveCampaigns(tx, [
      { ...campaign, id: "a" },
      { ...campaign, id: "b" },
    ]);
    await completeCampaign(tx, { userId: user.id, campaignId: "a", at: clock.now() });
  });
  const claim = async (id: string) => (await api.call(claimReward, { token, params: { id } })).status;
  expect((await Promise.all([claim("a"), claim("a"), claim("a")])).toSorted()).toEqual([200, 409, 409]);
  // One is not completed, and one does not exist.
  expect([await claim("b"), await claim("c")]).toEqual([409, 404]);
  expect(readMetricLines(await scrape(), "claims_total")).toEqual([
    `claims_total{outcome="duplicate"} 2`,
    `claims_total{outcome="granted"} 1`,
  ]);
});

test("counts failed sign-ins by reason, without naming the member", async () => {
  const { api, scrape } = open();
  const email = "ada@nodebeat.test";
  await seedMember(api.deps, { email });
  const signIn = async (password: string, turnstileToken: string) =>
    (await api.call(login, { body: { email, password, turnstileToken } })).status;
  const turnstileToken = await fillForm(api, clock);
  expect([await signIn("wrong horse", turnstileToken), await signIn(TEST_PASSWORD, "none")]).toEqual([401, 422]);
  const text = await scrape();
  expect(readMetricLines(text, "sign_in_failures_total")).toEqual([
    `sign_in_failures_total{reason="BOT_CHECK_FAILED"} 1`,
    `sign_in_failures_total{reason="INVALID_CREDENTIALS"} 1`,
    `sign_in_failures_total{reason="TOO_MANY_ATTEMPTS"} 0`,
  ]);
  expect(text).not.toContain("ada");
});

test("counts mail when it is queued, when an attempt fails and when it is sent", async () => {
  const { api, scrape } = open();
  const { user } = await seedMember(api.deps);
  const turnstileToken = await fillForm(api, clock);
  await api.call(forgotPassword, { body: { email: user.email, turnstileToken } });
  const deliver = (send: () => Promise<void>) =>
    deliverDue(api.deps, { origin: "https://nodebeat.example", transport: { send } });
  await deliver(() => Promise.reject(new Error("away")));
  clock.advance(60 * SECOND);
  await deliver(async () => {});
  expect(readMetricLines(await scrape(), "mails_total")).toEqual([
    `mails_total{outcome="failed"} 1`,
    `mails_total{outcome="queued"} 1`,
    `mails_total{outcome="sent"} 1`,
  ]);
});

test("counts event streams while they are open", async () => {
  const { api, app, scrape } = open();
  const { token } = await seedMember(api.deps);
  const events = readEventsOf(await app.request(readEvents.path, { headers: { authorization: `Bearer ${token}` } }));
  await events.next();
  expect(readMetricLines(await scrape(), "event_streams")).toEqual(["event_streams 1"]);
  await events.leave();
  expect(readMetricLines(await scrape(), "event_streams")).toEqual(["event_streams 0"]);
});
