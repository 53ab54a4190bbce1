import { createHash } from "node:crypto";
import { afterAll, beforeEach, expect, test } from "vitest";
import { createTestClock } from "../../tests/support/api/api.ts";
import { createTestDatabase } from "../../tests/support/database/test-database.ts";
import { rateLimits } from "../db/schema.ts";
import { pruneExpired } from "../boot/housekeeping.ts";
import { readEnv } from "../env.ts";
import { createRateLimiter } from "./rate-limiter.ts";

const database = await createTestDatabase();
const { db } = database;
const clock = createTestClock();
const secrets = ["a secret, which is as long as it has to be"] as const;
const limiter = createRateLimiter({ db, now: clock.now, secrets });
const rule = { name: "knocks", burst: 3, seconds: 10 };

beforeEach(() => database.reset());
afterAll(() => database.close());

const knock = (subject = "ada") => limiter.tryTake(rule, subject);

test("allows the rule's burst at once, then one more per interval", async () => {
  expect([await knock(), await knock(), await knock(), await knock()]).toEqual([true, true, true, false]);
  clock.advance(9_999);
  expect(await knock()).toBe(false);
  clock.advance(1);
  expect([await knock(), await knock()]).toEqual([true, false]);
  clock.advance(30_000);
  expect([await knock(), await knock(), await knock(), await knock()]).toEqual([true, true, true, false]);
});

test("says exactly how long to wait before a retry", async () => {
  for (let index = 0; index < 3; index++) await limiter.take(rule, "ada");
  clock.advance(4_500);
  await expect(limiter.take(rule, "ada")).rejects.toMatchObject({
    code: "TOO_MANY_ATTEMPTS",
    message: "Too many attempts. Please try again in 6 seconds.",
    retryAfter: 6,
  });
  clock.advance(6_000);
  await limiter.take(rule, "ada");
});

test.each([
  [121, "3 minutes"],
  [120, "2 minutes"],
  [119, "119 seconds"],
  [1, "1 second"],
])("writes %i seconds as %s", async (seconds, words) => {
  const slow = { name: "slow", burst: 1, seconds };
  await limiter.take(slow, "ada");
  const message = `Too many attempts. Please try again in ${words}.`;
  await expect(limiter.take(slow, "ada")).rejects.toMatchObject({ message });
});

test("a stored subject cannot be guessed without the installation's secret", async () => {
  await knock("203.0.113.7");
  const stranger = createRateLimiter({ db, now: clock.now, secrets: ["another secret, which is as long"] });
  await stranger.tryTake(rule, "203.0.113.7");
  const keys = (await db.select().from(rateLimits)).map(({ key }) => key.toString("hex"));
  expect(new Set(keys).size).toBe(2);
  expect(keys).not.toContain(createHash("sha256").update("knocks\u0000203.0.113.7").digest("hex"));
});

test("counts each subject and each rule separately", async () => {
  for (let index = 0; index < 3; index++) await knock();
  expect([await knock(), await knock("grace")]).toEqual([false, true]);
  expect(await limiter.tryTake({ ...rule, name: "calls" }, "ada")).toBe(true);
});

test("exactly the burst of many concurrent attempts gets through", async () => {
  const answers = await Promise.all(Array.from({ length: 50 }, () => knock()));
  expect(answers.filter(Boolean)).toHaveLength(3);
});

test("a released limit starts afresh", async () => {
  for (let index = 0; index < 3; index++) await knock();
  await limiter.release(rule, "ada");
  expect(await knock()).toBe(true);
});

test("stores no readable subject, and nothing once a limit has recovered", async () => {
  await knock("ada@nodebeat.test");
  const [kept] = await db.select().from(rateLimits);
  expect(kept?.key.toString("latin1")).not.toContain("ada");
  expect(kept?.key).toHaveLength(32);
  clock.advance(10_000);
  expect(await pruneExpired({ db, env: readEnv({}), now: clock.now })).toMatchObject({ limits: 0 });
  clock.advance(1);
  expect(await pruneExpired({ db, env: readEnv({}), now: clock.now })).toMatchObject({ limits: 1 });
});

test("a remembered limit refuses without a database query until it recovers", async () => {
  const rule = { name: "remembered", burst: 1, seconds: 10, isRemembered: true } as const;
  await limiter.take(rule, "ada");
  await expect(limiter.take(rule, "ada")).rejects.toMatchObject({ retryAfter: 10 });
  await db.delete(rateLimits);

  clock.advance(9_000);
  await expect(limiter.take(rule, "ada")).rejects.toMatchObject({ code: "TOO_MANY_ATTEMPTS", retryAfter: 1 });
  await limiter.take(rule, "bob");
  clock.advance(1_000);
  await limiter.take(rule, "ada");
});

const DAY = 24 * 60 * 60_000;

test.each([{}, { isRemembered: true } as const])(
  "a limit used up by a clock a day ahead recovers in its usual time, not in a day: %o",
  async (remembering) => {
    const rule = { name: "ahead", burst: 3, seconds: 10, ...remembering };
    clock.advance(DAY);
    const ahead = [1, 2, 3, 4].map(() => limiter.tryTake(rule, "ada"));
    expect((await Promise.all(ahead)).filter(Boolean)).toHaveLength(3);
    clock.advance(-DAY);

    expect([await limiter.tryTake(rule, "ada"), await limiter.tryTake(rule, "ada")]).toEqual([true, false]);
    clock.advance(10_000);
    expect([await limiter.tryTake(rule, "ada"), await limiter.tryTake(rule, "ada")]).toEqual([true, false]);
    clock.advance(30_000);
    const later = [1, 2, 3, 4].map(() => limiter.tryTake(rule, "ada"));
    expect((await Promise.all(later)).filter(Boolean)).toHaveLength(3);
  },
);

test("small differences between clocks do not change a limit", async () => {
  for (let index = 0; index < 3; index++) await knock();
  clock.advance(-30_000);
  expect(await knock()).toBe(false);
  clock.advance(30_000);
  expect(await knock()).toBe(false);
});
