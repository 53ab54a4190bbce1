import type { QueryClient } from "@tanstack/react-query";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { markReachable, readConnection } from "../cache/connection.ts";
import { createQueryClient } from "../cache/query-client.ts";
import { whitelistQuery } from "../member/reads.ts";
import { LiveTab } from "./live-tab.ts";

const fetch = vi.fn<typeof globalThis.fetch>();
const signOfLife = new TextEncoder().encode(":\n\n");
let server: ReadableStreamDefaultController<Uint8Array>;
let client: QueryClient;
let tab: LiveTab;

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("navigator", { onLine: true });
  vi.stubGlobal("document", { cookie: "" });
  vi.stubGlobal("fetch", fetch.mockReset());
  const body = new ReadableStream<Uint8Array>({ start: (controller) => void (server = controller) });
  fetch.mockImplementation((to) => (to === "/live" ? Promise.resolve(new Response(body)) : new Promise(() => {})));
  client = createQueryClient();
  tab = new LiveTab("u1", client);
  tab.follow(true);
});
afterEach(() => {
  tab.close();
  markReachable();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

/** Sends a sign of life from the server, and waits until the page has heard it. */
async function breathe() {
  server.enqueue(signOfLife);
  await vi.advanceTimersByTimeAsync(0);
}
const asked = () => fetch.mock.calls.filter(([to]) => to === "/healthz").length;

test("reports a silent stream within three seconds, and sends no health check while it is active", async () => {
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

test("checks a healthy server less and less often while its stream is silent", async () => {
  const respond = fetch.getMockImplementation();
  fetch.mockImplementation(async (to) => (to === "/live" ? respond?.(to) : undefined) ?? new Response());
  await breathe();
  await vi.advanceTimersByTimeAsync(20_000);
  expect([asked(), readConnection()]).toEqual([3, "online"]);
});

test("reopens a dead stream, even if the clock is set back in the meantime", async () => {
  const respond = fetch.getMockImplementation();
  fetch.mockImplementation(async (to) => (to === "/live" ? respond?.(to) : undefined) ?? new Response());
  await breathe();
  vi.setSystemTime(Date.now() - 3_600_000);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(fetch.mock.calls.filter(([to]) => to === "/live").length).toBeGreaterThan(1);
});

/** Returns how often another tab asks for events in four minutes in which there are none. */
async function countAsked(headers: Record<string, string>) {
  fetch.mockClear().mockImplementation(async () => new Response(null, { status: 404, headers }));
  const other = new LiveTab("u1", client);
  other.follow(true);
  await vi.advanceTimersByTimeAsync(4 * 60_000);
  other.close();
  return fetch.mock.calls.filter(([to]) => to === "/live").length;
}

test("obeys Retry-After of a server without events, and retries soon without that header", async () => {
  tab.close();
  expect(await countAsked({ "Retry-After": "600" })).toBe(1);
  expect(await countAsked({})).toBeGreaterThan(3);
});

test.each([
  ["a stream", () => new Response("retry: 99999999999\n\n")],
  ["an answer in its place", () => new Response(null, { status: 503, headers: { "Retry-After": "99999999" } })],
])("a wait longer than any timer allows does not cause constant retries: %s", async (_, answer) => {
  tab.close();
  fetch.mockClear().mockImplementation(async () => answer());
  const other = new LiveTab("u1", client);
  other.follow(true);
  // In steps, so that there is time to read each response.
  for (let step = 0; step < 50; step++) await vi.advanceTimersByTimeAsync(100);
  other.close();
  // Otherwise the shortest wait is half a second.
  expect(fetch.mock.calls.filter(([to]) => to === "/live").length).toBeLessThan(12);
});

test("a live update is not overwritten by a late response to an earlier request", async () => {
  const { promise, resolve } = Promise.withResolvers<object>();
  const reading = client.query({ queryKey: STATS, queryFn: () => promise }).catch(() => undefined);
  await hearOf("1", 50);
  resolve({ points_total: 25 });
  await reading;
  await vi.advanceTimersByTimeAsync(0);
  expect(client.getQueryData(STATS)).toEqual({ points_total: 50 });
});

test("a page that is shown again after a long time refetches everything, even if the totals match", async () => {
  const whitelist = [whitelistQuery.path, {}];
  client.setQueryData(STATS, { points_total: 50 });
  client.setQueryData(whitelist, {});
  await hearOf("1", 50);
  expect(client.getQueryState(whitelist)?.isInvalidated).toBe(false);

  tab.close();
  const body = new ReadableStream<Uint8Array>({ start: (controller) => void (server = controller) });
  fetch.mockImplementation(async (to) => new Response(to === "/live" ? body : null));
  await vi.advanceTimersByTimeAsync(60_000);
  tab = new LiveTab("u1", client);
  tab.follow(true);
  await hearOf("2", 50);
  expect(client.getQueryState(whitelist)?.isInvalidated).toBe(true);
});

test("a tab that is shown while no tab leads gets what it missed from the next leader", async () => {
  tab.close();
  const turns: (() => Promise<void>)[] = [];
  const request = (_: string, __: object, lead: () => Promise<void>) => {
    turns.push(lead);
    return new Promise(() => {});
  };
  vi.stubGlobal("navigator", { onLine: true, locks: { request } });
  vi.stubGlobal("BroadcastChannel", Channel);
  fetch.mockImplementation(async (to) => {
    if (to !== "/live") return new Response();
    return new Response(new ReadableStream<Uint8Array>({ start: (controller) => void (server = controller) }));
  });
  const lead = async (turn: number) => {
    void turns[turn]?.();
    await vi.advanceTimersByTimeAsync(0);
  };
  const [firstCache, nextCache, hiddenCache] = [createQueryClient(), createQueryClient(), createQueryClient()];
  const [first, next, hidden] = [firstCache, nextCache, hiddenCache].map((cache) => new LiveTab("u1", cache));
  for (const each of [first, next, hidden]) each?.follow(true);
  await lead(0);
  await hearOf("1", 25);
  expect(hiddenCache.getQueryData(STATS)).toEqual({ points_total: 25 });
  hidden?.follow(false);
  await hearOf("2", 50);
  hiddenCache.setQueryData(["points-log", {}], {});

  first?.follow(false);
  hidden?.follow(true);
  await lead(1);
  await breathe();
  expect(hiddenCache.getQueryData(STATS)).toEqual({ points_total: 50 });
  expect(hiddenCache.getQueryState(["points-log", {}])?.isInvalidated).toBe(true);
  for (const each of [first, next, hidden]) each?.close();
});

const STATS = ["stats", {}];

/** Sends new totals from the server, and waits until the page has heard them. */
async function hearOf(id: string, total: number) {
  const event = { changed: [], stats: { points_total: total } };
  server.enqueue(new TextEncoder().encode(`id: ${id}\ndata: ${JSON.stringify(event)}\n\n`));
  await vi.advanceTimersByTimeAsync(0);
}

/** A BroadcastChannel that delivers at once. */
class Channel extends EventTarget {
  static readonly #all = new Set<Channel>();
  readonly #name: string;

  constructor(name: string) {
    super();
    this.#name = name;
    Channel.#all.add(this);
  }

  postMessage(data: unknown) {
    for (const other of Channel.#all) {
      if (other !== this && other.#name === this.#name) other.dispatchEvent(new MessageEvent("message", { data }));
    }
  }

  close() {
    Channel.#all.delete(this);
  }
}
