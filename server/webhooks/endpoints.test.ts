import { afterAll, beforeEach, expect, test } from "vitest";
import { OPERATOR } from "../administration/actor.ts";
import { BY_OPERATOR, readAudit, seedAdministrator } from "../../tests/support/api/administration.ts";
import { seedMember } from "../../tests/support/api/api.ts";
import { runDue } from "../../tests/support/api/jobs.ts";
import { createTestDatabase } from "../../tests/support/database/test-database.ts";
import { openWebhooks } from "../../tests/support/api/webhooks.ts";
import { pruneExpired } from "../boot/housekeeping.ts";
import { backgroundJobs, webhookDeliveries, webhookEndpoints } from "../db/schema.ts";
import * as contract from "./contract.ts";
import { createWebhookDelivery } from "./deliver.ts";
import { readWebhooks, removeWebhook, replay, rotateWebhook } from "./endpoints.ts";
import { openOutgoing } from "./outgoing.ts";

const DAY = 24 * 60 * 60_000;

const database = await createTestDatabase();
const { db } = database;
const hooks = await openWebhooks(database);
const { add, api, clock, deliver, deps, happen, lines, list, receiver, verify } = hooks;
beforeEach(() => hooks.reset());
afterAll(() => hooks.close());

test("refuses a second webhook for the same address and event, and names the first one", async () => {
  const { id } = await add(["member.verified", "reward.claimed"]);
  await expect(add(["referral.claimed", "reward.claimed"])).rejects.toMatchObject({
    code: "CONFLICT",
    message: expect.stringContaining(`about reward.claimed, from the webhook ${id}.`),
  });
  await add(["referral.claimed"]);
  await removeWebhook(deps, BY_OPERATOR, { id });
  await add();
  await happen("ada");
  expect(await deliver()).toEqual(["done"]);

  const atOnce = await Promise.allSettled(Array.from({ length: 6 }, () => add(["machine_id.created"])));
  expect(atOnce.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
});

test("after a rotation, the previous and the new secret both sign for a day", async () => {
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
  expect(() => verify(former)).toThrow("The signature does not match the message.");
});

test("a second rotation replaces the new secret, and the one before it signs for another day", async () => {
  const { id, secret: known } = await add();
  const { secret: lost } = await rotateWebhook(deps, BY_OPERATOR, { id });
  clock.advance(1000);
  const { previousUntil, secret: present } = await rotateWebhook(deps, BY_OPERATOR, { id });
  expect(previousUntil).toBe(new Date(clock.now().getTime() + DAY).toISOString());
  await happen("ada");
  await deliver();
  for (const secret of [known, present]) expect(() => verify(secret)).not.toThrow();
  expect(() => verify(lost)).toThrow("The signature does not match the message.");
});

test("rotating a secret that cannot be read any more sends the waiting messages", async () => {
  const { id } = await add();
  await rotateWebhook(deps, BY_OPERATOR, { id });
  await happen("ada");
  const outgoing = openOutgoing(["another secret of the tests, long enough"], { toPrivate: true });
  const started = { ...deps, outgoing };
  const deliverAnew = () => runDue(started, createWebhookDelivery(started, { ca: receiver.ca }));
  expect(await deliverAnew()).toEqual(["failed"]);
  const lastError = "Not sent: this webhook's secret cannot be read. Rotate it.";
  expect(await list(id)).toMatchObject([{ state: "waiting", attempts: 0, lastError }]);
  expect(await db.select().from(backgroundJobs)).toMatchObject([{ lastError }]);
  const { previousUntil, secret } = await rotateWebhook(started, BY_OPERATOR, { id });
  expect(previousUntil).toBeNull();
  expect(await readWebhooks(started, OPERATOR)).toMatchObject([{ previousUntil: null }]);
  clock.advance(5000);
  expect(await deliverAnew()).toEqual(["done"]);
  expect(() => verify(secret)).not.toThrow();
  expect(await list(id)).toMatchObject([{ state: "delivered", lastError: null }]);

  // This is the only secret that can sign, so the next rotation keeps it as the previous one.
  await rotateWebhook(started, BY_OPERATOR, { id });
  await happen("ben");
  expect(await deliverAnew()).toEqual(["done"]);
  expect(() => verify(secret)).not.toThrow();
});

test("stores no secret in plain text: not in the database, the audit log or the server's log", async () => {
  const { id, secret } = await add();
  const rotated = await rotateWebhook(deps, BY_OPERATOR, { id });
  await happen("ada");
  await deliver();
  const kept = JSON.stringify([await db.select().from(webhookEndpoints), await readAudit(db), lines]);
  for (const each of [secret, rotated.secret]) expect(kept).not.toContain(each.slice("whsec_".length));
  const [row] = await db.select().from(webhookEndpoints);
  expect(row?.secret.includes(Buffer.from(rotated.secret))).toBe(false);
});

test("signs messages to a webhook whose id was given in capitals", async () => {
  const { token } = await seedAdministrator(deps);
  const [key, reason] = ["5D8F4F3E-5A1C-4B0F-9D59-6F1F0F6F2A10", "Tells our CRM"];
  const body = { url: receiver.url, events: ["member.verified"], key, reason };
  const former = await api.read(contract.addWebhook, { token, body });
  const present = await api.read(contract.rotateWebhook, { token, params: { id: key }, body: { reason } });
  await happen("ada");
  await deliver();
  for (const { secret } of [former, present]) expect(() => verify(secret)).not.toThrow();
});

test("a removed webhook receives nothing more, not even waiting messages, and its secrets are erased", async () => {
  const { id } = await add();
  const { id: other } = await add(["member.verified"], `${receiver.url}/other`);
  await happen("ada");
  await rotateWebhook(deps, BY_OPERATOR, { id });
  await removeWebhook(deps, BY_OPERATOR, { id });
  expect(await list(other)).toMatchObject([{ state: "waiting" }]);
  await removeWebhook(deps, BY_OPERATOR, { id: other });
  const forgotten = { secret: Buffer.alloc(0), previousSecret: null, previousUntil: null };
  expect(await db.select().from(webhookEndpoints)).toMatchObject([forgotten, forgotten]);
  await happen("ben");
  expect(await deliver()).toEqual(["done", "done"]);
  expect(receiver.received).toEqual([]);
  expect(await readWebhooks(deps, OPERATOR)).toEqual([]);
  await expect(
    replay(deps, BY_OPERATOR, { id, since: clock.now().toISOString(), undelivered: false }),
  ).rejects.toMatchObject({
    code: "NOT_FOUND",
  });
});

test.each([200, 500])(
  "gives up a message in flight when its webhook is removed, even if the answer is %i",
  async (status) => {
    const { id } = await add();
    await happen("ada");
    receiver.answer(
      (response) => void removeWebhook(deps, BY_OPERATOR, { id }).then(() => response.writeHead(status).end()),
    );
    expect(await deliver()).toEqual(["done"]);
    expect(await db.select().from(webhookDeliveries)).toMatchObject([{ givenUpAt: clock.now(), deliveredAt: null }]);
    expect(await db.$count(backgroundJobs)).toBe(0);
  },
);

test("keeps events and their deliveries for 30 days", async () => {
  const { id } = await add();
  await happen("ada");
  await deliver();
  clock.advance(30 * DAY);
  expect(await pruneExpired(deps)).toMatchObject({ announcements: 0 });
  clock.advance(1);
  expect(await pruneExpired(deps)).toMatchObject({ announcements: 1 });
  expect(await list(id)).toEqual([]);
});

test("only administrators can manage webhooks over the API", async () => {
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
  // The last page is exactly full.
  expect((await api.read(contract.readDeliveries, { token, params, query: { limit: 1 } })).next).toBeNull();
  await deliver();
  await happen("ben");
  const page = (query: object) => api.read(contract.readDeliveries, { token, params, query: { ...query } });
  const first = await page({ limit: 1 });
  expect(first).toMatchObject({ deliveries: [{ state: "waiting" }], next: first.deliveries[0]?.id });
  expect(await page({ before: first.next })).toMatchObject({ deliveries: [{ state: "delivered" }], next: null });
  for (const state of ["waiting", "delivered"])
    expect((await page({ state })).deliveries.map((each) => each.state)).toEqual([state]);
  expect((await page({ state: "given-up" })).deliveries).toEqual([]);
  const since = clock.now().toISOString();
  expect(await api.read(contract.replayWebhook, { token, params, body: { since, reason: "Lost" } })).toEqual({
    queued: 2,
    next: null,
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
    "https://hooks.example.com/#secret",
    "hooks",
    "javascript:alert(1)",
  ])
    expect((await api.call(contract.addWebhook, { token, body: { ...body, url } })).status).toBe(400);
  expect((await api.call(contract.replayWebhook, { token, params, body: { reason: "Nothing named" } })).status).toBe(
    400,
  );
});
