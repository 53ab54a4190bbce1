import { expect, onTestFinished, test, vi } from "vitest";
import { ApiError, readErrorResponse } from "./api-error.ts";
import { createMissingCalls } from "./missing-calls.ts";

const call = { method: "GET", path: "/api/auth/sessions", access: "member" } as const;
const fail = (status: number) =>
  vi.fn<() => Promise<never>>(() => Promise.reject(new ApiError("No", "API_ERROR", status)));

test.each([404, 405, 501])("for five minutes, does not repeat a call that the backend lacks: %d", async (status) => {
  let now = 0;
  const missing = createMissingCalls(() => now);
  const ask = fail(status);
  expect(await missing.callUnlessMissing(call, ask)).toBeNull();
  now += 5 * 60_000 - 1;
  expect(await missing.callUnlessMissing(call, ask)).toBeNull();
  expect(ask).toHaveBeenCalledOnce();

  now += 1;
  expect(await missing.callUnlessMissing(call, () => Promise.resolve("there by now"))).toBe("there by now");
  expect(await missing.callUnlessMissing({ ...call, method: "POST" }, () => Promise.resolve("another"))).toBe(
    "another",
  );
});

test("setting the clock back does not keep a call missing for longer", async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const missing = createMissingCalls();
  expect(await missing.callUnlessMissing(call, fail(404))).toBeNull();
  vi.setSystemTime(Date.now() - 24 * 60 * 60_000);
  vi.advanceTimersByTime(5 * 60_000);
  expect(await missing.callUnlessMissing(call, () => Promise.resolve("there by now"))).toBe("there by now");
});

test.each([
  ["a text", "404 page not found"],
  ["a page", "<!doctype html><title>404 Not Found</title>"],
])("retries after five seconds if the 404 is %s, as from a gateway while the backend restarts", async (_, body) => {
  let now = 0;
  const missing = createMissingCalls(() => now);
  const ask = vi.fn<() => Promise<never>>(async () => {
    throw await readErrorResponse(new Response(body, { status: 404 }));
  });
  expect(await missing.callUnlessMissing(call, ask)).toBeNull();
  now += 4_999;
  expect(await missing.callUnlessMissing(call, ask)).toBeNull();
  expect(ask).toHaveBeenCalledOnce();
  now += 1;
  expect(await missing.callUnlessMissing(call, () => Promise.resolve("there again"))).toBe("there again");
});

test.each([401, 409, 429, 500, 503])("rejects with any other failure, and does not remember it: %d", async (status) => {
  const missing = createMissingCalls();
  const ask = fail(status);
  await expect(missing.callUnlessMissing(call, ask)).rejects.toMatchObject({ status });
  await expect(missing.callUnlessMissing(call, ask)).rejects.toMatchObject({ status });
  expect(ask).toHaveBeenCalledTimes(2);
});

test.each([401, 403])(
  "a read open to anyone counts as missing if the backend closes it to strangers: %d",
  async (status) => {
    const missing = createMissingCalls();
    const open = { method: "GET", path: "/api/auth/bot-check", access: "anyone" } as const;
    await expect(missing.callUnlessMissing({ ...open, method: "POST" }, fail(status))).rejects.toMatchObject({
      status,
    });
    expect(await missing.callUnlessMissing(open, fail(status))).toBeNull();
  },
);
