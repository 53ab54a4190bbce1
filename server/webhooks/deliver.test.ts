import dns from "node:dns";
import { syncBuiltinESMExports } from "node:module";
import { eq, gt, sql } from "drizzle-orm";
import { afterAll, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { BY_OPERATOR } from "../../tests/support/api/administration.ts";
import { FAR_AHEAD, seedMember } from "../../tests/support/api/api.ts";
import { createTestDatabase } from "../../tests/support/database/test-database.ts";
import { startReceiver } from "../../tests/support/servers/webhook-receiver.ts";
import { openWebhooks } from "../../tests/support/api/webhooks.ts";
import { OPERATOR } from "../administration/actor.ts";
import { announce, WEBHOOK } from "../announcements/announce.queries.ts";
import { backgroundJobs, webhookEvents } from "../db/schema.ts";
import { inTransaction } from "../db/transaction.ts";
import { enqueue } from "../jobs/queries.ts";
import { addWebhook, readWebhooks, replay } from "./endpoints.ts";
import { RETRY_DELAYS_MS } from "./deliver-message.ts";

const DAY = 24 * 60 * 60_000;

const database = await createTestDatabase();
const { db } = database;
const hooks = await openWebhooks(database);
const { add, clock, deliver, deps, happen, idsReceived, list, outgoing, receiver, verify } = hooks;
beforeEach(() => hooks.reset());
afterAll(() => hooks.close());

test("delivers an event once, signed, with the member's id and without an email address", async () => {
  const { id, secret } = await add();
  const { user } = await seedMember(deps, { email: "ada@example.com" });
  await happen(user.id);
  await happen(user.id);
  expect(await deliver()).toEqual(["done"]);

  expect(receiver.received).toHaveLength(1);
  expect(() => verify(secret)).not.toThrow();
  expect(JSON.parse(receiver.received[0]?.text ?? "")).toEqual({
    type: "member.verified",
    timestamp: clock.now().toISOString(),
    data: { memberId: user.id },
  });
  expect(receiver.received[0]?.text).not.toContain("@");
  const [told] = await list(id);
  expect(told).toMatchObject({ type: "member.verified", state: "delivered", attempts: 1, lastStatus: 200 });
  expect(await deliver()).toEqual([]);

  // As if a process had died between recording the delivery and ending the job.
  await inTransaction(db, (tx) => enqueue(tx, { kind: WEBHOOK, key: `${id} ${told?.id}`, dueAt: clock.now() }));
  expect(await deliver()).toEqual(["done"]);
  expect(receiver.received).toHaveLength(1);
});

test("sends no event that was rolled back and none that the endpoint did not subscribe to", async () => {
  const { id } = await add(["reward.claimed"]);
  const undone = inTransaction(db, async (tx) => {
    await announce(tx, { type: "reward.claimed", subject: "a", at: clock.now(), data: { memberId: "a" } });
    throw new Error("undone");
  });
  await expect(undone).rejects.toThrow("undone");
  await happen("b", "member.verified");
  expect(await deliver()).toEqual([]);
  expect(await list(id)).toEqual([]);
  expect(await db.$count(webhookEvents)).toBe(1);
});

test.each([
  ["500", 500, "It answered 500."],
  ["a redirect, which is not followed", 302, "It answered 302: redirects are not followed."],
])("retries with growing waits until the receiver accepts, if it answers %s", async (_, status, lastError) => {
  const { id } = await add();
  await happen("ada");
  receiver.answer((response) => response.writeHead(status, { Location: receiver.url }).end());
  for (const wait of RETRY_DELAYS_MS.slice(0, 3)) {
    expect(await deliver()).toEqual(["again"]);
    expect(await deliver()).toEqual([]);
    clock.advance(wait);
  }
  expect(await list(id)).toMatchObject([{ state: "waiting", attempts: 3, lastStatus: status, lastError }]);
  receiver.answer((response) => response.writeHead(204).end());
  expect(await deliver()).toEqual(["done"]);
  expect(new Set(idsReceived()).size).toBe(1);
  expect(receiver.received).toHaveLength(4);
  expect(await list(id)).toMatchObject([{ state: "delivered", attempts: 4, lastStatus: 204, lastError: null }]);
});

test("gives up after about three days of failures, and immediately after a 410", async () => {
  const { id } = await add();
  await happen("ada");
  receiver.answer((response) => response.writeHead(503).end());
  const began = clock.now().getTime();
  for (const wait of RETRY_DELAYS_MS) {
    expect(await deliver()).toEqual(["again"]);
    clock.advance(wait);
  }
  expect(await deliver()).toEqual(["done"]);
  expect(clock.now().getTime() - began).toBeGreaterThan(3 * DAY);
  expect(await list(id)).toMatchObject([{ state: "given-up", attempts: RETRY_DELAYS_MS.length + 1, lastStatus: 503 }]);

  receiver.answer((response) => response.writeHead(410).end());
  await happen("ben");
  expect(await deliver()).toEqual(["done"]);
  expect((await list(id))[0]).toMatchObject({ state: "given-up", attempts: 1, lastStatus: 410 });
  expect(await db.$count(backgroundJobs)).toBe(0);
  const figures = await deps.metrics.registry.getSingleMetricAsString("nodebeat_webhook_deliveries_total");
  expect(figures).toContain(`{outcome="given_up"} 2`);

  // A manual replay resets each delivery.
  const counts = async () => (await readWebhooks(deps, OPERATOR)).map(({ deliveries }) => deliveries);
  expect(await counts()).toEqual([{ delivered: 0, waiting: 0, givenUp: 2 }]);
  receiver.reset();
  const since = new Date(began).toISOString();
  expect(await replay(deps, BY_OPERATOR, { id, since, undelivered: true })).toEqual({ queued: 2, next: null });
  expect(await deliver()).toEqual(["done", "done"]);
  expect((await list(id)).map(({ attempts }) => attempts)).toEqual([1, 1]);
  expect(await counts()).toEqual([{ delivered: 2, waiting: 0, givenUp: 0 }]);
});

test("retries later if the receiver does not answer in time", async () => {
  const { id } = await add();
  await happen("ada");
  receiver.answer(() => {});
  expect(await deliver({ timeout: 50 })).toEqual(["again"]);
  expect(await list(id)).toMatchObject([
    { state: "waiting", lastStatus: null, lastError: "It did not answer in time." },
  ]);
});

test("cuts off a response without an end and counts its status", async () => {
  const { id } = await add();
  await happen("ada");
  let isCut = false;
  receiver.answer((response) => {
    response.on("close", () => (isCut = true));
    const flood = () => {
      while (!response.destroyed && response.write(Buffer.alloc(64 * 1024)));
    };
    response.on("drain", flood);
    flood();
  });
  expect(await deliver()).toEqual(["done"]);
  await expect.poll(() => isCut).toBe(true);
  expect(await list(id)).toMatchObject([{ state: "delivered", lastStatus: 200 }]);
});

test("sends nothing to a receiver with an untrusted certificate", async () => {
  const { id } = await add();
  await happen("ada");
  const other = await startReceiver();
  expect(await deliver({ ca: other.ca })).toEqual(["again"]);
  await other.stop();
  expect(receiver.received).toEqual([]);
  expect((await list(id))[0]?.lastError).toMatch(/^It could not be reached \(.+\)\.$/);
});

test("sends nothing to an address that is not public, even if a public name resolves to it", async () => {
  const { id } = await add();
  const named = await add(["member.verified"], receiver.url.replace("127.0.0.1", "hooks.example.com"));
  await happen("ada");
  const asked: string[] = [];
  const answer = (hostname: string, _: unknown, callback: (error: null, addresses: dns.LookupAddress[]) => void) => {
    asked.push(hostname);
    callback(null, [
      { address: "1.1.1.1", family: 4 },
      { address: "127.0.0.1", family: 4 },
    ]);
  };
  const lookup = vi.spyOn(dns, "lookup").mockImplementation(answer as typeof dns.lookup);
  syncBuiltinESMExports();
  onTestFinished(() => {
    lookup.mockRestore();
    syncBuiltinESMExports();
  });
  expect(await deliver({ toPrivate: false })).toEqual(["again", "again"]);
  expect(asked).toEqual(["hooks.example.com"]);
  expect(receiver.received).toEqual([]);
  expect((await list(id))[0]?.lastError).toBe("Not sent: The host is not public.");
  const stands = "Not sent: The name leads to an address that is not public.";
  expect((await list(named.id))[0]?.lastError).toBe(stands);

  const strict = { ...deps, outgoing: { ...outgoing, toPrivate: false } };
  const refused = addWebhook(strict, BY_OPERATOR, { url: "https://169.254.169.254/", events: ["member.verified"] });
  await expect(refused).rejects.toMatchObject({ code: "VALIDATION_ERROR" });
});

test("new messages are due immediately, even if the clock is ahead", async () => {
  const { id } = await add();
  const notYet = () => db.$count(backgroundJobs, gt(backgroundJobs.dueAt, sql`now()`));
  clock.advance(FAR_AHEAD);
  await happen("ada");
  expect(await notYet()).toBe(0);
  await hooks.pause(id);
  await hooks.resume(id);
  expect([await db.$count(backgroundJobs), await notYet()]).toEqual([1, 0]);
  await replay(deps, BY_OPERATOR, { id, since: new Date(0).toISOString(), undelivered: true });
  expect([await db.$count(backgroundJobs), await notYet()]).toEqual([2, 0]);
  clock.advance(-FAR_AHEAD);
});

test("concurrent processes send each event once", async () => {
  await add();
  for (let index = 0; index < 12; index += 1) await happen(`member-${index}`);
  do await Promise.all([deliver({}), deliver(), deliver()]);
  while ((await db.$count(backgroundJobs)) > 0 && (clock.advance(2000), true));
  expect(receiver.received).toHaveLength(12);
  expect(new Set(idsReceived()).size).toBe(12);
});

test("a process sends at most four messages to one endpoint at the same time", async () => {
  await add();
  for (let index = 0; index < 8; index += 1) await happen(`member-${index}`);
  let [open, most] = [0, 0];
  receiver.answer((response) => {
    most = Math.max(most, (open += 1));
    response.end("ok", () => (open -= 1));
  });
  const outcomes = await deliver();
  expect(outcomes.filter((outcome) => outcome === "done")).toHaveLength(4);
  expect(most).toBeLessThanOrEqual(4);
});

test("a message whose delivery was not recorded is sent again with the same id", async () => {
  const { id } = await add();
  await happen("ada");
  // Another process takes over the job while the message is on its way: the first must not record anything.
  receiver.answer((response) => {
    void db
      .update(backgroundJobs)
      .set({ lease: null, dueAt: clock.now() })
      .where(eq(backgroundJobs.kind, WEBHOOK))
      .then(() => response.end("ok"));
  });
  expect(await deliver()).toEqual(["lost"]);
  expect(await list(id)).toMatchObject([{ state: "waiting", attempts: 0 }]);
  receiver.answer((response) => response.end("ok"));
  expect(await deliver()).toEqual(["done"]);
  expect(receiver.received).toHaveLength(2);
  expect(new Set(idsReceived()).size).toBe(1);
});
