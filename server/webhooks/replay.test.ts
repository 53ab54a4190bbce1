import { sql } from "drizzle-orm";
import { afterAll, beforeEach, expect, test } from "vitest";
import { BY_OPERATOR, readAudit } from "../../tests/support/api/administration.ts";
import { openWebhooks } from "../../tests/support/api/webhooks.ts";
import { createTestDatabase } from "../../tests/support/database/test-database.ts";
import { backgroundJobs } from "../db/schema.ts";
import { MAX_REPLAYED } from "./contract.ts";
import { replay } from "./endpoints.ts";

const database = await createTestDatabase();
const { db } = database;
const hooks = await openWebhooks(database);
const { add, clock, deliver, deps, happen, idsReceived, list, receiver } = hooks;
beforeEach(() => hooks.reset());
afterAll(() => hooks.close());

test("replays one event or a time span under the same ids, even events that the endpoint never got", async () => {
  await happen("before-there-was-anybody");
  // No webhook subscribes to this event.
  await happen("somebody", "reward.claimed");
  clock.advance(1000);
  const { id } = await add();
  await happen("ada");
  await deliver();
  const since = new Date(clock.now().getTime() - 1000).toISOString();
  const again = { id, since, undelivered: false };
  expect(await replay(deps, BY_OPERATOR, { ...again, undelivered: true })).toEqual({ queued: 1, next: null });
  await deliver();
  expect(await replay(deps, BY_OPERATOR, again)).toEqual({ queued: 2, next: null });
  await deliver();
  expect(idsReceived()).toHaveLength(4);
  expect(new Set(idsReceived()).size).toBe(2);

  const event = (await list(id))[0]?.id ?? "";
  expect(await replay(deps, BY_OPERATOR, { id, event, undelivered: false })).toEqual({ queued: 1, next: null });
  await deliver();
  expect(idsReceived().at(-1)).toBe(event);
  const until = since;
  expect(await replay(deps, BY_OPERATOR, { id, since, until, undelivered: false })).toEqual({ queued: 0, next: null });
  expect((await readAudit(db)).at(-1)).toMatchObject({ action: "webhook.replayed", subject: "webhook", subjectId: id });

  // Also replays a message whose job was given up.
  await happen("ben");
  await db.update(backgroundJobs).set({ deadAt: clock.now() });
  expect(await deliver()).toEqual([]);
  expect(await replay(deps, BY_OPERATOR, { ...again, undelivered: true })).toEqual({ queued: 1, next: null });
  expect(await deliver()).toEqual(["done"]);

  // For a webhook that was sent nothing, messages to other webhooks do not count as delivered.
  const { id: other } = await add(["member.verified"], `${receiver.url}/other`);
  const whole = { ...again, id: other, undelivered: true };
  expect(await replay(deps, BY_OPERATOR, whole)).toEqual({ queued: 3, next: null });
});

test("a replay of too many events for one call says where to continue", async () => {
  const { id } = await add();
  const since = "2026-11-01T00:00:00.000Z";
  // One event each second.
  await db.execute(sql`
    insert into webhook_events (id, type, subject, at, data)
    select gen_random_uuid(), 'member.verified', n::text, ${since}::timestamptz + n * interval '1 second', '{}'
    from generate_series(0, ${MAX_REPLAYED + 1}) as n`);
  const first = await replay(deps, BY_OPERATOR, { id, since, undelivered: true });
  expect(first).toEqual({ queued: MAX_REPLAYED, next: "2026-11-01T01:23:20.000Z" });
  const rest = { id, since: first.next ?? "", undelivered: true };
  expect(await replay(deps, BY_OPERATOR, rest)).toEqual({ queued: 2, next: null });
  const { rows } = await db.execute(sql`select count(*)::integer as count from webhook_deliveries`);
  expect(rows).toEqual([{ count: MAX_REPLAYED + 2 }]);
});

test("a replay of too many events for one call sends none twice, even if many happened at the same moment", async () => {
  const { id } = await add();
  const since = "2026-11-01T00:00:00.000Z";
  // Two at each second but the first, so that the last event of the first call shares its second with one more.
  await db.execute(sql`
    insert into webhook_events (id, type, subject, at, data)
    select gen_random_uuid(), 'member.verified', n::text, ${since}::timestamptz + (n + 1) / 2 * interval '1 second', '{}'
    from generate_series(0, ${MAX_REPLAYED + 1}) as n`);
  const first = await replay(deps, BY_OPERATOR, { id, since, undelivered: false });
  expect(first).toEqual({ queued: MAX_REPLAYED + 1, next: "2026-11-01T00:41:41.000Z" });
  const rest = { id, since: first.next ?? "", undelivered: false };
  expect(await replay(deps, BY_OPERATOR, rest)).toEqual({ queued: 1, next: null });

  await db.execute(sql`
    update webhook_events set at = ${since}::timestamptz + interval '1 minute' where subject <> '0' and subject <> '1'`);
  const whole = { queued: MAX_REPLAYED + 2, next: null };
  expect(await replay(deps, BY_OPERATOR, { id, since, undelivered: false })).toEqual(whole);
});
