import { eq, sql } from "drizzle-orm";
import { afterAll, beforeEach, expect, test } from "vitest";
import { BY_OPERATOR, readAudit, seedAdministrator } from "../../tests/support/api/administration.ts";
import { seedMember } from "../../tests/support/api/api.ts";
import { createTestDatabase } from "../../tests/support/database/test-database.ts";
import { openWebhooks } from "../../tests/support/api/webhooks.ts";
import { OPERATOR } from "../administration/actor.ts";
import { pruneExpired } from "../boot/housekeeping.ts";
import { WEBHOOK } from "../announcements/announce.queries.ts";
import { backgroundJobs, webhookDeliveries, webhookEvents } from "../db/schema.ts";
import { describeHeld, WEBHOOK_BACKLOG } from "./backlog.queries.ts";
import * as contract from "./contract.ts";
import { readWebhooks, removeWebhook, replay } from "./endpoints.ts";
import { RETRY_DELAYS_MS } from "./deliver-message.ts";

const DAY = 24 * 60 * 60_000;
const UNKNOWN = { id: "00000000-0000-7000-8000-000000000000" };

const database = await createTestDatabase();
const { db } = database;
const hooks = await openWebhooks(database);
const { add, api, clock, deliver, deliverAll, deps, happen, happenAll } = hooks;
const { idsReceived, list, pause, receiver, resume, subjectsReceived } = hooks;
beforeEach(() => hooks.reset());
afterAll(() => hooks.close());

/** More messages than a process sends at once, to one endpoint or in all. */
const MANY = Array.from({ length: 30 }, (_, index) => `member-${index}`);

const readWaiting = async () => (await readWebhooks(deps, OPERATOR)).map(({ deliveries }) => deliveries.waiting);

test("sends nothing while a webhook is paused, and afterwards each waiting message once and in order", async () => {
  const { id } = await add();
  const other = await add(["reward.claimed"]);
  const [before, meanwhile] = [MANY.slice(0, 12), MANY.slice(12)];
  await happenAll(before);
  expect(await pause(id)).toEqual({ id, changed: true, waiting: 12 });
  await happenAll(meanwhile);
  await happen("elsewhere", "reward.claimed");
  // A process tries some of them now, and the others a moment later.
  do await deliverAll();
  while ((await db.$count(backgroundJobs)) > 0 && (clock.advance(2000), true));
  // Other webhooks still get their messages.
  expect(subjectsReceived()).toEqual(["elsewhere"]);
  expect((await list(other.id)).map(({ state }) => state)).toEqual(["delivered"]);
  expect(await readWaiting()).toEqual([30, 0]);

  receiver.received.length = 0;
  expect(await resume(id)).toEqual({ id, changed: true, waiting: 30 });
  await deliverAll();
  expect(subjectsReceived()).toEqual(MANY);
  expect(new Set(idsReceived()).size).toBe(30);
  expect(await readWaiting()).toEqual([0, 0]);
  expect(await db.$count(backgroundJobs)).toBe(0);
});

test("new events after a resume do not wait behind the backlog", async () => {
  const { id } = await add();
  await pause(id);
  await happenAll(MANY.slice(0, 3));
  await resume(id);
  await happen("later");
  await deliver();
  expect(subjectsReceived().toSorted()).toEqual(["later", "member-0"]);
  await deliverAll();
  expect(subjectsReceived().slice(2)).toEqual(["member-1", "member-2"]);
});

test("a retry waits for the pause to end, too, keeps its count of attempts and is sent in order", async () => {
  const { id } = await add();
  await happen("ada");
  receiver.answer((response) => response.writeHead(503).end());
  expect(await deliver()).toEqual(["again"]);
  await happen("ben");
  await pause(id);
  receiver.reset();
  clock.advance(DAY);
  expect(await deliver()).toEqual([]);
  await resume(id);
  await deliverAll();
  expect(subjectsReceived()).toEqual(["ada", "ben"]);
  expect((await list(id)).map(({ attempts, state }) => [state, attempts])).toEqual([
    ["delivered", 1],
    ["delivered", 2],
  ]);
});

test("a message in flight when its webhook is paused is not sent again", async () => {
  const { id } = await add();
  await happen("ada");
  receiver.answer((response) => void pause(id).then(() => response.end("ok")));
  expect(await deliver()).toEqual(["done"]);
  await resume(id);
  await deliverAll();
  expect(subjectsReceived()).toEqual(["ada"]);
  expect(await list(id)).toMatchObject([{ state: "delivered", attempts: 1 }]);
});

test("a message that is refused while its webhook is paused waits for the pause to end", async () => {
  const { id } = await add();
  await happen("ada");
  receiver.answer((response) => void pause(id).then(() => response.writeHead(500).end()));
  expect(await deliver()).toEqual(["again"]);
  receiver.reset();
  clock.advance(RETRY_DELAYS_MS[0] ?? 0);
  expect(await deliver()).toEqual(["done"]);
  expect(await list(id)).toMatchObject([{ state: "waiting", attempts: 1 }]);
  expect(receiver.received).toEqual([]);
  await resume(id);
  await deliverAll();
  expect(await list(id)).toMatchObject([{ state: "delivered", attempts: 2 }]);
});

test("a message that fails after the pause is retried without holding up the others", async () => {
  const { id } = await add();
  await pause(id);
  await happenAll(MANY.slice(0, 3));
  await resume(id);
  receiver.answer((response) => response.writeHead(receiver.received.length === 1 ? 500 : 200).end());
  await deliverAll();
  expect(subjectsReceived()).toEqual(["member-0", "member-1", "member-2"]);
  expect(await readWaiting()).toEqual([1]);
  clock.advance(RETRY_DELAYS_MS[0] ?? 0);
  expect(await deliver()).toEqual(["done"]);
  expect(subjectsReceived()).toEqual(["member-0", "member-1", "member-2", "member-0"]);
  expect(await readWaiting()).toEqual([0]);
});

test("finds the next message with one lookup even after many failures, and leaves none behind", async () => {
  const { id } = await add();
  await pause(id);
  await happenAll(MANY);
  await resume(id);
  receiver.answer((response) => response.writeHead(500).end());
  for (const _ of MANY.slice(1)) await deliver();
  expect(await readWaiting()).toEqual([30]);
  const [backlog] = await db.select().from(backgroundJobs).where(eq(backgroundJobs.kind, WEBHOOK_BACKLOG));
  const query = describeHeld(db, id, backlog?.payload?.toString()).getSQL();
  const { rows } = await db.execute<Record<"QUERY PLAN", string>>(
    sql`explain (analyze, costs off, timing off) ${query}`,
  );
  // Each message that is passed over costs a lookup among the jobs.
  expect(rows.map((row) => row["QUERY PLAN"]).join("\n")).toMatch(
    / on webhook_deliveries \(actual rows=1(\.00)? loops=1\)/,
  );

  // The first messages wait without a job again, before the event that the backlog has reached.
  await db.delete(backgroundJobs).where(eq(backgroundJobs.kind, WEBHOOK));
  receiver.reset();
  await deliverAll();
  expect(subjectsReceived()).toEqual([MANY.at(-1), ...MANY.slice(0, -1)]);
  expect(await db.$count(backgroundJobs)).toBe(0);
});

test("pausing again during the backlog holds back the rest until the next resume", async () => {
  const { id } = await add();
  await pause(id);
  await happenAll(MANY);
  await resume(id);
  receiver.answer((response) => {
    if (receiver.received.length === 10) void pause(id).then(() => response.end("ok"));
    else response.end("ok");
  });
  await deliverAll();
  expect(subjectsReceived()).toEqual(MANY.slice(0, 10));
  expect(await readWaiting()).toEqual([20]);
  await resume(id);
  await deliverAll();
  expect(subjectsReceived()).toEqual(MANY);
});

test("resuming while a message is in flight continues after that message", async () => {
  const { id } = await add();
  await pause(id);
  await happenAll(MANY.slice(0, 3));
  await resume(id);
  receiver.answer((response) => {
    const isFirst = receiver.received.length === 1;
    const again = isFirst ? pause(id).then(() => resume(id)) : Promise.resolve();
    void again.then(() => response.end("ok"));
  });
  await Promise.all([deliver({}), deliver({})]);
  await deliverAll();
  expect(subjectsReceived()).toEqual(["member-0", "member-1", "member-2"]);
});

test("replayed events wait for the pause to end, too", async () => {
  const { id } = await add();
  await happenAll(["ada", "ben"]);
  await deliverAll();
  receiver.reset();
  await pause(id);
  const since = new Date(clock.now().getTime() - DAY).toISOString();
  expect(await replay(deps, BY_OPERATOR, { id, since, undelivered: false })).toEqual({ queued: 2, next: null });
  await deliverAll();
  expect(receiver.received).toEqual([]);
  await resume(id);
  await deliverAll();
  expect(subjectsReceived()).toEqual(["ada", "ben"]);
});

test("a webhook that is removed during a pause or its backlog receives nothing more", async () => {
  const [first, second] = [await add(), await add(undefined, `${receiver.url}/second`)];
  for (const { id } of [first, second]) await pause(id);
  await happen("ada");
  await resume(second.id);
  for (const { id } of [first, second]) await removeWebhook(deps, BY_OPERATOR, { id });
  // As left by an event that happens at the same moment and does not know of the removal.
  await db.update(webhookDeliveries).set({ givenUpAt: null });
  await deliverAll();
  expect(receiver.received).toEqual([]);
  expect(await db.$count(backgroundJobs)).toBe(0);
  await expect(resume(first.id)).rejects.toMatchObject({ code: "NOT_FOUND" });
});

test("a message waits for up to 30 days, as long as its event is kept", async () => {
  const { id } = await add();
  await pause(id);
  await happen("ada");
  clock.advance(DAY);
  await happen("ben");
  clock.advance(29 * DAY + 1);
  await pruneExpired(deps);
  expect(await db.$count(webhookEvents)).toBe(1);
  expect(await resume(id)).toMatchObject({ waiting: 1 });
  await deliverAll();
  expect(subjectsReceived()).toEqual(["ben"]);
});

test("only administrators can pause and resume a webhook over the API, and must give a reason", async () => {
  const [ada, ben] = [await seedAdministrator(deps, "ada@example.com"), await seedMember(deps)];
  const { id } = await add();
  const [params, { token }] = [{ id }, ada];
  const body = { reason: "Their server moves" };
  expect((await api.call(contract.pauseWebhook, { token, params, body: { reason: " " } })).status).toBe(400);
  for (const call of [contract.pauseWebhook, contract.resumeWebhook]) {
    expect((await api.call(call, { token: ben.token, params, body })).status).toBe(403);
    expect((await api.call(call, { token, params: UNKNOWN, body })).status).toBe(404);
  }
  expect(await readWebhooks(deps, OPERATOR)).toMatchObject([{ paused: null }]);

  await happen("ada");
  const paused = await api.read(contract.pauseWebhook, { token, params, body });
  expect(paused).toEqual({ id, changed: true, waiting: 1 });
  const at = clock.now().toISOString();
  clock.advance(60_000);
  // The first pause counts.
  expect(await api.read(contract.pauseWebhook, { token, params, body })).toMatchObject({ changed: false });
  const by = { kind: "administrator", id: ada.user.id, email: "ada@example.com" };
  expect(await readWebhooks(deps, OPERATOR)).toMatchObject([{ paused: { at, by }, deliveries: { waiting: 1 } }]);

  expect(await api.read(contract.resumeWebhook, { token, params, body })).toMatchObject({ changed: true });
  expect(await api.read(contract.resumeWebhook, { token, params, body })).toMatchObject({ changed: false });
  expect(await readWebhooks(deps, OPERATOR)).toMatchObject([{ paused: null }]);
  expect((await readAudit(db)).slice(1)).toMatchObject(
    ["webhook.paused", "webhook.resumed"].map((action) => {
      return { action, subjectId: id, actorId: ada.user.id, reason: body.reason, details: { waiting: 1 } };
    }),
  );
});
