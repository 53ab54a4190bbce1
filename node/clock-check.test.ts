import { expect, test } from "vitest";
import { createNodeUnderTest, MINUTE } from "../tests/support/servers/node-under-test.ts";

const node = await createNodeUnderTest();
const DAY = 24 * 60 * MINUTE;

test("warns once of a clock that is hours behind, and again if it is set back once more", async () => {
  let ahead = -180 * MINUTE;
  const lines = await node.run({
    minutes: 150,
    ahead: () => ahead,
    events: [
      [61, async () => void (ahead = 0)],
      [121, async () => void (ahead = -180 * MINUTE)],
    ],
  });

  const told =
    "this machine's clock is 180 min behind the server's: its heartbeats count for times already past. Set the clock.";
  expect(lines.filter((line) => line.includes("clock"))).toEqual([told, told]);
  expect(lines[0]).toBe(told);
});

test("says that heartbeats do not count if the clock is more than a week behind", async () => {
  const lines = await node.run({ minutes: 1, ahead: () => -14 * DAY });
  expect(lines).toContain(
    "this machine's clock is 14 days behind the server's: its heartbeats do not count. Set the clock.",
  );
});
