import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { awaitResponse, checkServer, markReachable, readConnection } from "./connection.ts";

const fetch = vi.fn<typeof globalThis.fetch>();
const navigator = { onLine: true };
const NOTHING = new Promise<never>(() => {});

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("fetch", fetch.mockReset().mockReturnValue(NOTHING));
  vi.stubGlobal("navigator", Object.assign(navigator, { onLine: true }));
  vi.stubGlobal("document", {});
  markReachable();
});
afterEach(() => {
  markReachable();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

const answer = (status: number) => new Response(null, { status });

test("reports a silent server within three seconds, and is online again once a response arrives", async () => {
  const late = Promise.withResolvers<Response>();
  const read = awaitResponse(late.promise);
  await vi.advanceTimersByTimeAsync(2249);
  expect(readConnection()).toBe("online");
  await vi.advanceTimersByTimeAsync(1);
  expect(readConnection()).toBe("unreachable");

  late.resolve(answer(200));
  await read;
  expect(readConnection()).toBe("online");
  expect(vi.getTimerCount()).toBe(0);
});

test("reports at once that the server refuses connections", async () => {
  fetch.mockRejectedValue(new TypeError("Failed to fetch"));
  await expect(awaitResponse(Promise.reject(new TypeError("Failed to fetch")))).rejects.toThrow("Failed to fetch");
  await vi.advanceTimersByTimeAsync(100);
  expect(readConnection()).toBe("unreachable");
});

test("checks the server until it responds, one request at a time", async () => {
  checkServer();
  checkServer();
  expect(fetch).toHaveBeenCalledExactlyOnceWith("/healthz", expect.objectContaining({ method: "HEAD" }));
  await vi.advanceTimersByTimeAsync(1250 + 3000);
  const [first, second] = fetch.mock.calls.map(([, init]) => init?.signal?.aborted);
  expect([first, second, readConnection()]).toEqual([true, false, "unreachable"]);
  checkServer();
  expect(fetch).toHaveBeenCalledTimes(2);

  fetch.mockResolvedValue(answer(200));
  await vi.advanceTimersByTimeAsync(1250 + 3000);
  expect(readConnection()).toBe("online");
  const asked = fetch.mock.calls.length;
  await vi.advanceTimersByTimeAsync(60_000);
  expect(fetch).toHaveBeenCalledTimes(asked);
});

test.each([
  [200, "online"],
  // A proxy that does not pass on this address has a server behind it all the same.
  [404, "online"],
  // What a proxy responds if there is no server behind it.
  [502, "unreachable"],
  [504, "unreachable"],
])("status %i means that the server is %s", async (status, connection) => {
  fetch.mockResolvedValue(answer(status));
  checkServer();
  await vi.advanceTimersByTimeAsync(1250);
  expect(readConnection()).toBe(connection);
});

test("a slow response does not mean unreachable while the server gives other signs of life", async () => {
  void awaitResponse(NOTHING);
  for (let second = 0; second < 10; second++) {
    await vi.advanceTimersByTimeAsync(1000);
    markReachable();
    expect(readConnection()).toBe("online");
  }
});

test("asks the server although the browser says that it is offline, and reports that only without an answer", async () => {
  navigator.onLine = false;
  fetch.mockResolvedValueOnce(answer(200));
  checkServer();
  await vi.advanceTimersByTimeAsync(0);
  expect([fetch.mock.calls.length, readConnection()]).toEqual([1, "online"]);

  fetch.mockRejectedValueOnce(new TypeError("Failed to fetch"));
  await vi.advanceTimersByTimeAsync(2000);
  expect([fetch.mock.calls.length, readConnection()]).toEqual([2, "offline"]);

  fetch.mockResolvedValueOnce(answer(200));
  await vi.advanceTimersByTimeAsync(3000);
  expect(readConnection()).toBe("online");
});
