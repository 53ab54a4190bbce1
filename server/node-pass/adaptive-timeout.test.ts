import { expect, test } from "vitest";
import { createTestClock } from "../../tests/support/api/api.ts";
import { createAdaptiveTimeout } from "./adaptive-timeout.ts";

const silence = new Promise<never>(() => {});

test("after a timeout, later callers wait only briefly until a pause has passed or an answer comes", async () => {
  const clock = createTestClock();
  const wait = createAdaptiveTimeout({ now: clock.now, timeout: 50, failed: 10_000 });
  await expect(wait(silence)).rejects.toThrow("No answer within 50 ms");
  await expect(wait(silence)).rejects.toThrow("No answer within 5 ms");

  // Those who barely wait do not extend that time.
  clock.advance(10_000);
  await expect(wait(silence)).rejects.toThrow("No answer within 50 ms");
  // A clock that is set back does not extend it either.
  clock.advance(-3_600_000);
  await expect(wait(silence)).rejects.toThrow("No answer within 50 ms");
  expect(await wait(Promise.resolve("an answer"))).toBe("an answer");
  await expect(wait(silence)).rejects.toThrow("No answer within 50 ms");
});
