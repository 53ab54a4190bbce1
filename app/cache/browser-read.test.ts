import { afterEach, expect, test, vi } from "vitest";
import { pointsLogQuery, statsQuery } from "../points/reads.ts";
import { createBrowserRead } from "./browser-read.ts";

const fetch = vi.fn<typeof globalThis.fetch>();
const onSignedOut = vi.fn<() => void>();
const onResponse = vi.fn<() => void>();
const isOver = vi.fn<() => boolean>();
const read = createBrowserRead("u1", { onSignedOut, isOver, onResponse });

vi.stubGlobal("fetch", fetch);
afterEach(() => {
  fetch.mockReset();
  onSignedOut.mockReset();
  onResponse.mockReset();
  isOver.mockReset();
  vi.useRealTimers();
});

test("calls the read proxy with the page's member", async () => {
  fetch.mockResolvedValue(Response.json({ data: [], total: 0 }));
  const query = { page: 2, limit: 10, category: "Rewards", startDate: undefined } as const;
  expect(await read(pointsLogQuery, query)).toEqual({ data: [], total: 0 });
  expect(onResponse).toHaveBeenCalledOnce();
  expect(fetch).toHaveBeenCalledExactlyOnceWith("/read/points-log?page=2&limit=10&category=Rewards", {
    headers: { Accept: "application/json", "x-nodebeat-member": "u1" },
  });
});

test("rejects with the error in the proxy's response", async () => {
  fetch.mockResolvedValue(Response.json({ message: "Busy", error: "UNAVAILABLE" }, { status: 503 }));
  await expect(read(statsQuery, {})).rejects.toMatchObject({
    name: "ApiError",
    message: "Busy",
    code: "UNAVAILABLE",
    status: 503,
  });
  expect(onSignedOut).not.toHaveBeenCalled();
});

test("reports a session that has ended, and rejects", async () => {
  fetch.mockResolvedValue(Response.json({ message: "No", error: "UNAUTHENTICATED" }, { status: 401 }));
  await expect(read(statsQuery, {})).rejects.toMatchObject({ status: 401 });
  expect(onSignedOut).toHaveBeenCalledOnce();
});

test("sends no request while the page is being left for its next one, and reads again if it stays", async () => {
  vi.useFakeTimers();
  isOver.mockReturnValue(true);
  fetch.mockResolvedValue(Response.json({}));
  const settled = vi.fn<() => void>();
  read(statsQuery, {}).then(settled, settled);
  await vi.advanceTimersByTimeAsync(30_000);
  expect([fetch.mock.calls, settled.mock.calls]).toEqual([[], []]);
  isOver.mockReturnValue(false);
  await vi.advanceTimersByTimeAsync(1000);
  expect(settled).toHaveBeenCalledOnce();
});

test("rejects with a network error if no response arrives, but with the abort reason if aborted", async () => {
  fetch.mockRejectedValue(new TypeError("Failed to fetch"));
  await expect(read(statsQuery, {})).rejects.toMatchObject({ code: "NETWORK_ERROR", message: "Failed to fetch" });

  const left = new DOMException("left", "AbortError");
  fetch.mockRejectedValue(left);
  await expect(read(statsQuery, {}, AbortSignal.abort(left))).rejects.toBe(left);
});

test("reports a response that is not JSON as an unknown error", async () => {
  fetch.mockResolvedValue(new Response("<html>"));
  await expect(read(statsQuery, {})).rejects.toMatchObject({ code: "UNKNOWN_ERROR" });
});
