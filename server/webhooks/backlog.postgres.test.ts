import { afterAll, expect, test } from "vitest";
import { BY_OPERATOR } from "../../tests/support/api/administration.ts";
import { runDue } from "../../tests/support/api/jobs.ts";
import { watchLocks } from "../../tests/support/database/lock-watch.ts";
import { createTestDatabase } from "../../tests/support/database/test-database.ts";
import { recordTimeouts } from "../../tests/support/database/statement-limits.ts";
import { openWebhooks } from "../../tests/support/api/webhooks.ts";
import { WEBHOOK } from "../announcements/announce.queries.ts";
import { backgroundJobs, webhookEvents } from "../db/schema.ts";
import { WEBHOOK_BACKLOG } from "./backlog.queries.ts";
import { createWebhookDelivery } from "./deliver.ts";
import { removeWebhook, replay } from "./endpoints.ts";

const database = await createTestDatabase();
const hooks = await openWebhooks(database);
const { block, countDeadlocks, hold } = watchLocks(database);
const { add, deliver, deliverAll, deps, happen, idsReceived, list, pause, receiver, resume } = hooks;
const kinds = createWebhookDelivery(deps, { ca: receiver.ca });
afterAll(() => hooks.close());

test("sends a message that is held back just as its webhook is resumed and the backlog ends", async () => {
  const { id } = await add();
  await pause(id);
  await resume(id);
  // The resumed webhook's backlog job is still there when it is paused again, and finds nothing to do.
  await pause(id);
  await happen("ada");

  const release = await hold("select from webhook_endpoints for update");
  // All three queue for the webhook's row in this order. None of them can see yet what the one before does.
  const [resuming] = await block(() => resume(id));
  const [ending] = await block(() => runDue(deps, { [WEBHOOK_BACKLOG]: kinds[WEBHOOK_BACKLOG] }));
  const [holding] = await block(() => runDue(deps, { [WEBHOOK]: kinds[WEBHOOK] }));
  await release();
  await Promise.all([resuming, ending, holding]);

  await deliverAll();
  expect(idsReceived()).toHaveLength(1);
  expect(await list(id)).toMatchObject([{ state: "delivered", attempts: 1 }]);
});

test("an event during the removal of its webhook is not sent and leaves no job", async () => {
  await hooks.reset();
  const { id } = await add();
  const release = await hold("select from webhook_endpoints for update");
  const [removing] = await block(() => removeWebhook(deps, BY_OPERATOR, { id }));
  // The new event does not know yet that the webhook is being removed.
  const [happening] = await block(() => happen("ada"));
  await release();
  await Promise.all([removing, happening]);

  await deliverAll();
  expect(idsReceived()).toEqual([]);
  expect(await database.db.$count(backgroundJobs)).toBe(0);
});

test("a replay during a delivery does not deadlock with recording the outcome", async () => {
  await hooks.reset();
  const { id } = await add();
  await happen("ada");
  const before = await countDeadlocks();
  const release = await hold("select from webhook_deliveries for update");
  const again = { id, since: new Date(0).toISOString(), undelivered: false };
  const [replaying] = await block(() => replay(deps, BY_OPERATOR, again));
  const [delivering] = await block(() => deliver());
  await release();

  expect(await replaying).toMatchObject({ queued: 1 });
  const outcomes = await delivering;
  expect(await countDeadlocks()).toBe(before);
  // The job is a new one by now, so the attempt before it does not count.
  expect(outcomes).toEqual(["lost"]);
  await deliverAll();
  expect(idsReceived()).toHaveLength(2);
  expect(await list(id)).toMatchObject([{ state: "delivered", attempts: 1 }]);
});

test.each<[string, (id: string) => Promise<unknown>]>([
  ["pauses", pause],
  ["removes", (id) => removeWebhook(deps, BY_OPERATOR, { id })],
  ["replays to", (id) => replay(deps, BY_OPERATOR, { id, since: new Date(0).toISOString(), undelivered: false })],
])("an event does not wait while somebody %s a webhook", async (_, change) => {
  await hooks.reset();
  const { id } = await add();
  // The audit entry is written last: until then, the change holds a lock on the webhook.
  const release = await hold("lock table audit_entries in exclusive mode");
  const [changing] = await block(() => change(id));
  const happening = happen("ada");
  try {
    await expect.poll(() => database.db.$count(webhookEvents), { interval: 5 }).toBe(1);
  } finally {
    await release();
    await Promise.all([changing, happening]);
  }
});

test("pausing, resuming and removing a webhook have no time limit, however many messages wait", async () => {
  await hooks.reset();
  const { id } = await add();
  await happen("ada");
  const jobLimits = await recordTimeouts(database.pool, "background_jobs");
  const deliveryLimits = await recordTimeouts(database.pool, "webhook_deliveries");
  await pause(id);
  // Leaves a job that no worker has picked up.
  await happen("ben");
  await resume(id);
  await removeWebhook(deps, BY_OPERATOR, { id });
  expect([await jobLimits(), await deliveryLimits()]).toEqual([["0"], ["0"]]);
});
