import { eq } from "drizzle-orm";
import { afterAll, beforeEach, expect, test } from "vitest";
import { BY_OPERATOR, readAudit, seedAdministrator } from "../../tests/support/administration.ts";
import { createTestApi, createTestClock, seedMember } from "../../tests/support/api.ts";
import { runDue } from "../../tests/support/jobs.ts";
import { createTestDatabase } from "../../tests/support/test-database.ts";
import { startReceiver } from "../../tests/support/webhook-receiver.ts";
import { announce, WEBHOOK } from "../announcements/announce.ts";
import type { AnnouncedType } from "../announcements/contract.ts";
import { OPERATOR } from "../administration/actor.ts";
import { pruneExpired } from "../boot/housekeeping.ts";
import { backgroundJobs, webhookEndpoints, webhookEvents } from "../db/schema.ts";
import { inTransaction } from "../db/transaction.ts";
import { createLog } from "../log/log.ts";
import { WebhookHeaders } from "./contract.ts";
import * as contract from "./contract.ts";
import { createWebhookDelivery, WAITS } from "./deliver.ts";
import { addWebhook, readDeliveries, readWebhooks, removeWebhook, replay, rotateWebhook } from "./endpoints.ts";
import { openOutgoing } from "./outgoing.ts";
import { lookUpPublic } from "./public-address.ts";
import type { Sending } from "./send.ts";
import { readWebhookKey, verifyMessage } from "./signature.ts";

const DAY = 24 * 60 * 60_000;

const database = await createTestDatabase();
const { db } = database;
const clock = createTestClock();
const lines: string[] = [];
const log = createLog({ level: "debug", destination: { write: (line) => void lines.push(line) } });
const outgoing = openOutgoing("a secret of the tests, long enough for a key", { toPrivate: true });
const api = createTestApi(database, { now: clock.now, log, outgoing });
const { deps } = api;
const receiver = await startReceiver();
beforeEach(async () => {
  lines.length = 0;
  receiver.reset();
  await database.reset();
});
afterAll(async () => {
  await receiver.stop();
  await database.close();
});

const kinds = createWebhookDelivery(deps, { ca: receiver.ca });
const deliver = (sending: Partial<Sending> = {}) =>
  runDue(
    deps,
    Object.keys(sending).length === 0 ? kinds : createWebhookDelivery(deps, { ca: receiver.ca, ...sending }),
  );
const add = (events: AnnouncedType[] = ["member.verified"], url = receiver.url) =>
  addWebhook(deps, BY_OPERATOR, { url, events });
const happen = (subject: string, type: AnnouncedType = "member.verified") =>
  inTransaction(db, (tx) => announce(tx, { type, subject, at: clock.now(), data: { memberId: subject } }));
const list = async (id: string) => (await readDeliveries(deps, OPERATOR, { id, limit: 100 })).deliveries;
const idsReceived = () => receiver.received.map(({ headers }) => headers["webhook-id"]);

/** Whether a message that came is signed with a secret. Throws where it is not. */
function verify(secret: string, { headers, text } = receiver.received[0] ?? { headers: {}, text: "" }) {
  const key = readWebhookKey(secret);
  if (!key) throw new Error("no secret");
  verifyMessage([key], { headers: WebhookHeaders.parse(headers), text }, clock.now());
}

test("what happens is told once, signed, with the member's id and no address", async () => {
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
  expect(await list(id)).toMatchObject([{ type: "member.verified", state: "delivered", attempts: 1, lastStatus: 200 }]);
  expect(await deliver()).toEqual([]);
});

test("what is rolled back is told to nobody, and an endpoint hears of what it asked for alone", async () => {
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
])("a receiver that answers %s is told again, later each time, until it listens", async (_, status, lastError) => {
  const { id } = await add();
  await happen("ada");
  receiver.answer((response) => response.writeHead(status, { Location: receiver.url }).end());
  for (const wait of WAITS.slice(0, 3)) {
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

test("a receiver that never listens is given up after some days, and one that is gone at once", async () => {
  const { id } = await add();
  await happen("ada");
  receiver.answer((response) => response.writeHead(503).end());
  const began = clock.now().getTime();
  for (const wait of WAITS) {
    expect(await deliver()).toEqual(["again"]);
    clock.advance(wait);
  }
  expect(await deliver()).toEqual(["done"]);
  expect(clock.now().getTime() - began).toBeGreaterThan(3 * DAY);
  expect(await list(id)).toMatchObject([{ state: "given-up", attempts: WAITS.length + 1, lastStatus: 503 }]);

  receiver.answer((response) => response.writeHead(410).end());
  await happen("ben");
  expect(await deliver()).toEqual(["done"]);
  expect((await list(id))[0]).toMatchObject({ state: "given-up", attempts: 1, lastStatus: 410 });
  expect(await db.$count(backgroundJobs)).toBe(0);
  const figures = await deps.metrics.registry.getSingleMetricAsString("nodebeat_webhook_deliveries_total");
  expect(figures).toContain(`{outcome="given_up"} 2`);
});

test("a receiver that hangs is left after its time, and one that says nothing at all, too", async () => {
  const { id } = await add();
  await happen("ada");
  receiver.answer(() => {});
  expect(await deliver({ patience: 50 })).toEqual(["again"]);
  expect(await list(id)).toMatchObject([
    { state: "waiting", lastStatus: null, lastError: "It did not answer in time." },
  ]);
});

test("of an answer without an end a little is read, and its status counts", async () => {
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

test("a receiver whose certificate nobody vouches for is told nothing", async () => {
  const { id } = await add();
  await happen("ada");
  const other = await startReceiver();
  expect(await deliver({ ca: other.ca })).toEqual(["again"]);
  await other.stop();
  expect(receiver.received).toEqual([]);
  expect((await list(id))[0]?.lastError).toMatch(/^It could not be reached \(.+\)\.$/);
});

test("nothing is sent to an address that is not public, whether it is written so or a name stands for it", async () => {
  const { id } = await add();
  const named = await add(["member.verified"], receiver.url.replace("127.0.0.1", "hooks.example.com"));
  await happen("ada");
  const asked: string[] = [];
  const lookup = lookUpPublic((hostname, _, callback) => {
    asked.push(hostname);
    callback(null, [
      { address: "1.1.1.1", family: 4 },
      { address: "127.0.0.1", family: 4 },
    ]);
  });
  expect(await deliver({ toPrivate: false, lookup })).toEqual(["again", "again"]);
  expect(asked).toEqual(["hooks.example.com"]);
  expect(receiver.received).toEqual([]);
  expect((await list(id))[0]?.lastError).toBe("Not sent: The host is not public.");
  const stands = "Not sent: The name stands for an address that is not public.";
  expect((await list(named.id))[0]?.lastError).toBe(stands);

  const strict = { ...deps, outgoing: { ...outgoing, toPrivate: false } };
  const refused = addWebhook(strict, BY_OPERATOR, { url: "https://169.254.169.254/", events: ["member.verified"] });
  await expect(refused).rejects.toMatchObject({ code: "VALIDATION_ERROR" });
});

test("processes that look at the same moment tell of each event once", async () => {
  await add();
  for (let index = 0; index < 12; index += 1) await happen(`member-${index}`);
  do await Promise.all([runDue(deps, createWebhookDelivery(deps, { ca: receiver.ca })), deliver(), deliver()]);
  while ((await db.$count(backgroundJobs)) > 0 && (clock.advance(2000), true));
  expect(receiver.received).toHaveLength(12);
  expect(new Set(idsReceived()).size).toBe(12);
});

test("one endpoint has no more than a few of a process's hands", async () => {
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

test("who dies between telling and noting it tells again, with the same id", async () => {
  const { id } = await add();
  await happen("ada");
  // Another process takes the job over while the message is on its way: the first may not note anything.
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

test("while secrets change hands both sign, for a day", async () => {
  const { id, secret: former } = await add();
  const { secret: present } = await rotateWebhook(deps, BY_OPERATOR, { id });
  expect(present).not.toBe(former);
  await happen("ada");
  await deliver();
  for (const secret of [former, present]) expect(() => verify(secret)).not.toThrow();
  expect((await readWebhooks(deps, OPERATOR))[0]?.previousUntil).not.toBeNull();

  clock.advance(DAY);
  receiver.reset();
  await happen("ben");
  await deliver();
  expect(() => verify(present)).not.toThrow();
  expect(() => verify(former)).toThrow("The signature is not of this message.");
});

test("secrets are nowhere in clear: not in the database, the log of what was done, or the server's log", async () => {
  const { id, secret } = await add();
  const rotated = await rotateWebhook(deps, BY_OPERATOR, { id });
  await happen("ada");
  await deliver();
  const kept = JSON.stringify([await db.select().from(webhookEndpoints), await readAudit(db), lines]);
  for (const each of [secret, rotated.secret]) expect(kept).not.toContain(each.slice("whsec_".length));
  const [row] = await db.select().from(webhookEndpoints);
  expect(row?.secret.includes(Buffer.from(rotated.secret))).toBe(false);
});

test("an event, or all of a span, is told again under its id, also what an endpoint was never told", async () => {
  await happen("before-there-was-anybody");
  clock.advance(1000);
  const { id } = await add();
  await happen("ada");
  await deliver();
  const since = new Date(clock.now().getTime() - 1000).toISOString();
  const again = { id, since, undelivered: false };
  expect(await replay(deps, BY_OPERATOR, { ...again, undelivered: true })).toEqual({ queued: 1 });
  await deliver();
  expect(await replay(deps, BY_OPERATOR, again)).toEqual({ queued: 2 });
  await deliver();
  expect(idsReceived()).toHaveLength(4);
  expect(new Set(idsReceived()).size).toBe(2);

  const event = (await list(id))[0]?.id ?? "";
  expect(await replay(deps, BY_OPERATOR, { id, event, undelivered: false })).toEqual({ queued: 1 });
  await deliver();
  expect(idsReceived().at(-1)).toBe(event);
  const until = since;
  expect(await replay(deps, BY_OPERATOR, { id, since, until, undelivered: false })).toEqual({ queued: 0 });
  expect((await readAudit(db)).at(-1)).toMatchObject({ action: "webhook.replayed", subject: "webhook", subjectId: id });
});

test("one that was removed hears nothing more, not even what waited", async () => {
  const { id } = await add();
  await happen("ada");
  await removeWebhook(deps, BY_OPERATOR, { id });
  await happen("ben");
  expect(await deliver()).toEqual(["done"]);
  expect(receiver.received).toEqual([]);
  expect(await readWebhooks(deps, OPERATOR)).toEqual([]);
  await expect(
    replay(deps, BY_OPERATOR, { id, since: clock.now().toISOString(), undelivered: false }),
  ).rejects.toMatchObject({
    code: "NOT_FOUND",
  });
});

test("events are kept for 30 days, with what became of them", async () => {
  const { id } = await add();
  await happen("ada");
  await deliver();
  clock.advance(30 * DAY);
  expect(await pruneExpired(deps)).toMatchObject({ announcements: 0 });
  clock.advance(1);
  expect(await pruneExpired(deps)).toMatchObject({ announcements: 1 });
  expect(await list(id)).toEqual([]);
});

test("administrators do the same over the API, and nobody else does", async () => {
  const [ada, ben] = [await seedAdministrator(deps), await seedMember(deps)];
  const body = { url: receiver.url, events: ["member.verified", "member.verified"], reason: "Tells our CRM" };
  const made = await api.read(contract.addWebhook, { token: ada.token, body });
  expect(made).toMatchObject({ events: ["member.verified"], secret: expect.stringMatching(/^whsec_/) });
  const { id } = made;
  const { token } = ada;
  const listed = await api.read(contract.readWebhooks, { token });
  expect(listed).toMatchObject([{ id, deliveries: { delivered: 0, waiting: 0, givenUp: 0 } }]);
  expect(JSON.stringify(listed)).not.toContain("secret");
  await happen("ada");
  const params = { id };
  expect((await api.read(contract.readDeliveries, { token, params })).deliveries).toMatchObject([{ state: "waiting" }]);
  const since = clock.now().toISOString();
  expect(await api.read(contract.replayWebhook, { token, params, body: { since, reason: "Lost" } })).toEqual({
    queued: 1,
  });
  await api.read(contract.rotateWebhook, { token, params, body: { reason: "Leaked" } });
  await api.read(contract.removeWebhook, { token, params, body: { reason: "Moved" } });
  expect((await api.call(contract.readDeliveries, { token, params })).status).toBe(404);
  expect((await readAudit(db)).map(({ action, reason }) => `${action} ${reason}`)).toEqual([
    "webhook.added Tells our CRM",
    "webhook.replayed Lost",
    "webhook.rotated Leaked",
    "webhook.removed Moved",
  ]);
  expect((await api.call(contract.addWebhook, { token: ben.token, body })).status).toBe(403);
  for (const url of [
    "http://hooks.example.com/",
    "https://ada:secret@hooks.example.com/",
    "hooks",
    "javascript:alert(1)",
  ])
    expect((await api.call(contract.addWebhook, { token, body: { ...body, url } })).status).toBe(400);
  expect((await api.call(contract.replayWebhook, { token, params, body: { reason: "Nothing named" } })).status).toBe(
    400,
  );
});
