import { renderToString } from "react-dom/server";
import { afterEach, expect, test, vi } from "vitest";
import { compareClocks, readServerTime, toBrowserTime } from "./clock.ts";
import { formatAgo, formatDay, Time, TimeAgo } from "./time.tsx";

test("the server renders times in UTC and labels them as UTC", () => {
  expect(renderToString(<Time dateTime="2026-11-20T14:05:00Z" />)).toBe(
    '<time dateTime="2026-11-20T14:05:00Z">20 Nov 2026, 14:05 UTC</time>',
  );
});

test("converts a time with an offset to UTC", () => {
  expect(renderToString(<Time dateTime="2026-11-21T00:30:00+02:00" />)).toContain(">20 Nov 2026, 22:30 UTC<");
});

test("formats a calendar day regardless of the time zone", () => {
  expect(formatDay("2026-01-01")).toBe("1 Jan 2026");
});

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;

test.each([
  [-5 * second, "just now"],
  [59 * second, "just now"],
  [minute, "1 min ago"],
  [59 * minute + 59 * second, "59 min ago"],
  [hour, "1 h ago"],
  [23 * hour, "23 h ago"],
  [24 * hour, "1 d ago"],
  [400 * 24 * hour, "400 d ago"],
])("%d ms ago is %s", (elapsed, text) => {
  expect(formatAgo(0, elapsed)).toBe(text);
});

test("counts elapsed time from the page's clock, so that server and browser render the same", () => {
  const now = Date.parse("2026-11-20T14:09:30Z");
  expect(renderToString(<TimeAgo dateTime="2026-11-20T14:05:00Z" now={now} />)).toContain(">4 min ago<");
});

afterEach(() => vi.useRealTimers());

test.each([
  ["forward", hour],
  ["back", -hour],
  ["forward again", hour],
])("follows the server's time after the local clock is set %s", (_, by) => {
  vi.useFakeTimers({ toFake: ["Date"] });
  const server = Date.now();
  compareClocks(server, server);
  vi.setSystemTime(server + by);
  compareClocks(server, server + by);
  expect(toBrowserTime(server)).toBe(server + by);
  expect(readServerTime()).toBe(server);
});

test("a clock set back during a request does not make the response seem to come from the future", () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  const server = Date.now();
  const asked = server + 5 * hour;
  vi.setSystemTime(server);
  compareClocks(server, asked);
  expect(toBrowserTime(server)).toBe(server);
});

test("data read before another response counts as older, even if the first page was slow to arrive", () => {
  vi.useFakeTimers({ toFake: ["Date", "performance"] });
  const browser = Date.now() + 3 * hour;
  const server = browser - 1000;
  vi.setSystemTime(browser);
  // The server reads the page after 100 ms, and the browser receives it after 1 s.
  vi.advanceTimersByTime(1000);
  toBrowserTime(server + 100);

  const asked = Date.now();
  vi.advanceTimersByTime(300);
  const other = Date.now();
  vi.advanceTimersByTime(2000);
  compareClocks(server + 1000 + 50, asked);
  expect(toBrowserTime(server + 1000 + 50)).toBeLessThan(other);
  expect(toBrowserTime(server + 1000 + 50)).toBeGreaterThanOrEqual(asked);
});
