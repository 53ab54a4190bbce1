import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { noteAnswered, readConnection } from "../cache/connection.ts";
import { createQueryClient } from "../cache/query-client.ts";
import { LiveTab } from "./live-tab.ts";

const fetch = vi.fn<typeof globalThis.fetch>();
const signOfLife = new TextEncoder().encode(":\n\n");
let server: ReadableStreamDefaultController<Uint8Array>;
let tab: LiveTab;

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("navigator", { onLine: true });
  vi.stubGlobal("document", { cookie: "" });
  vi.stubGlobal("fetch", fetch.mockReset());
  const body = new ReadableStream<Uint8Array>({ start: (controller) => void (server = controller) });
  fetch.mockImplementation((to) => (to === "/live" ? Promise.resolve(new Response(body)) : new Promise(() => {})));
  tab = new LiveTab("u1", createQueryClient());
  tab.follow(true);
});
afterEach(() => {
  tab.close();
  noteAnswered();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

/** The server says that it is there, and the page has heard it. */
async function breathe() {
  server.enqueue(signOfLife);
  await vi.advanceTimersByTimeAsync(0);
}
const asked = () => fetch.mock.calls.filter(([to]) => to === "/healthz").length;

test("a stream that falls silent is told of within three seconds, and while it does not, nobody is asked", async () => {
  for (let second = 0; second < 30; second++) {
    await breathe();
    await vi.advanceTimersByTimeAsync(1000);
  }
  expect([asked(), readConnection()]).toEqual([0, "online"]);
  await breathe();
  await vi.advanceTimersByTimeAsync(2749);
  expect(readConnection()).toBe("online");
  await vi.advanceTimersByTimeAsync(1);
  expect([asked(), readConnection()]).toEqual([1, "unreachable"]);
});

test("a server that answers though its stream is silent is asked ever more seldom", async () => {
  const respond = fetch.getMockImplementation();
  fetch.mockImplementation(async (to) => (to === "/live" ? respond?.(to) : undefined) ?? new Response());
  await breathe();
  await vi.advanceTimersByTimeAsync(20_000);
  expect([asked(), readConnection()]).toEqual([3, "online"]);
});

test("a stream that has died is opened again, also where the clock was put back meanwhile", async () => {
  const respond = fetch.getMockImplementation();
  fetch.mockImplementation(async (to) => (to === "/live" ? respond?.(to) : undefined) ?? new Response());
  await breathe();
  vi.setSystemTime(Date.now() - 3_600_000);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(fetch.mock.calls.filter(([to]) => to === "/live").length).toBeGreaterThan(1);
});
