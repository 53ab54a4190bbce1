import { QueryObserver, type QueryClient } from "@tanstack/react-query";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createBrowserRead } from "./browser-read.ts";
import {
  areFresh,
  areFreshOnceSettled,
  changeReads,
  createQueryClient,
  getBrowserQueryClient,
  refreshReads,
  refetchFailed,
} from "./query-client.ts";
import type { Read } from "./read.ts";
import { smartIdRequirementsQuery } from "../machine-id/reads.ts";
import { userQuery } from "../member/reads.ts";
import { nodePassQuery } from "../node-pass/reads.ts";
import { pointsLogQuery, statsQuery } from "../points/reads.ts";
import { walletChangeEligibilityQuery } from "../wallet/reads.ts";

const MINUTE = 60_000;
const firstPage = { page: 1, limit: 10 };

const fetch = vi.fn<typeof globalThis.fetch>();
vi.stubGlobal("fetch", fetch);
const read = createBrowserRead("u1", {
  onSignedOut: () => undefined,
  isOver: () => false,
  onResponse: () => undefined,
});

beforeEach(() => {
  vi.useFakeTimers();
  fetch.mockReset().mockImplementation(async () => Response.json({}));
});
afterEach(() => vi.useRealTimers());

// specification: 9.27
test("reads are fresh if each is cached and within its stale time", async () => {
  const client = createQueryClient();
  const list = (any: Read) => [userQuery(any), pointsLogQuery(any, firstPage)];
  expect(areFresh(client, list)).toBe(false);

  await client.query(userQuery(read));
  expect(areFresh(client, list)).toBe(false);
  await client.query(pointsLogQuery(read, firstPage));
  expect(areFresh(client, list)).toBe(true);

  vi.advanceTimersByTime(5 * MINUTE - 1);
  expect(areFresh(client, list)).toBe(true);
  vi.advanceTimersByTime(1);
  expect(areFresh(client, list)).toBe(false);
  expect(areFresh(client, (any) => [userQuery(any)])).toBe(true);
});

test("an invalidated or failed read is not fresh", async () => {
  const client = createQueryClient();
  await client.query(userQuery(read));
  await client.invalidateQueries({ queryKey: ["user"] });
  expect(areFresh(client, (any) => [userQuery(any)])).toBe(false);

  fetch.mockRejectedValue(new Error("down"));
  await expect(client.query({ ...statsQuery(read), retry: false })).rejects.toThrow("down");
  expect(areFresh(client, (any) => [statsQuery(any)])).toBe(false);
});

test("waits for pending reads, but not for outdated or failing ones", async () => {
  const client = createQueryClient();
  const { promise: answering, resolve: answer } = Promise.withResolvers<Response>();
  fetch.mockReturnValue(answering);
  const first = client.query(userQuery(read));
  expect(await areFreshOnceSettled(client, (any) => [userQuery(any), statsQuery(any)])).toBe(false);

  const second = areFreshOnceSettled(client, (any) => [userQuery(any)]);
  answer(Response.json({}));
  expect(await second).toBe(true);
  await first;
  expect(fetch).toHaveBeenCalledTimes(1);

  // A response to a request from before a change may contain the old state.
  const { promise: late, resolve: arrive } = Promise.withResolvers<Response>();
  fetch.mockReturnValue(late);
  const third = client.query({ ...userQuery(read), staleTime: 0 });
  await client.invalidateQueries({ queryKey: ["user"], refetchType: "none" });
  expect(await areFreshOnceSettled(client, (any) => [userQuery(any)])).toBe(false);
  arrive(Response.json({}));
  await third;

  fetch.mockRejectedValue(new Error("down"));
  const failing = client.query(statsQuery(read)).catch((error: unknown) => error);
  await vi.advanceTimersByTimeAsync(0);
  // It is retried, and a member who follows a link to it does not wait for that.
  expect(await areFreshOnceSettled(client, (any) => [statsQuery(any)])).toBe(false);
  await vi.advanceTimersByTimeAsync(10_000);
  await failing;
});

const list = (any: Read) => [pointsLogQuery(any, firstPage)];

async function readAheadOf(client: QueryClient, change: () => Promise<unknown>) {
  const { promise: answering, resolve: answer } = Promise.withResolvers<Response>();
  fetch.mockReturnValue(answering);
  const ahead = client.query({ ...pointsLogQuery(read, firstPage), retry: false }).catch(() => undefined);
  await change();
  answer(Response.json({ total: 0 }));
  await ahead;
  await vi.advanceTimersByTimeAsync(0);
  return areFresh(client, list);
}

test("a prefetched read that arrives after news of a change is not fresh", async () => {
  const client = createQueryClient();
  expect(await readAheadOf(client, () => refreshReads(client, "referrals"))).toBe(true);
  client.clear();
  expect(await readAheadOf(client, () => refreshReads(client, "points"))).toBe(false);

  const own = getBrowserQueryClient();
  expect(await readAheadOf(own, () => changeReads(["points"], () => Promise.resolve()))).toBe(false);
  own.clear();
});

test.each([
  ["when news of a change arrives", (client: QueryClient) => refreshReads(client, "points")],
  ["when the server responds again", refetchFailed],
])("refetches a read on the page whose first response is pending %s", async (_, happen) => {
  const client = createQueryClient();
  const { promise: late, resolve: arrive } = Promise.withResolvers<Response>();
  fetch.mockReturnValueOnce(late).mockResolvedValueOnce(Response.json({ total: 1 }));
  const log = pointsLogQuery(read, firstPage);
  const end = new QueryObserver(client, log).subscribe(() => {});
  void happen(client);
  arrive(Response.json({ total: 0 }));
  await vi.advanceTimersByTimeAsync(0);
  expect(client.getQueryData(log.queryKey)).toEqual({ total: 1 });
  end();
});

test("reads that depend on the linked wallet go stale when another device links or changes it", async () => {
  const client = createQueryClient();
  await client.query(smartIdRequirementsQuery(read));
  await client.query(walletChangeEligibilityQuery(read));
  await client.query(nodePassQuery(read));
  // The member's live events report both as a change of the profile.
  await refreshReads(client, "profile");
  expect(areFresh(client, (any) => [smartIdRequirementsQuery(any)])).toBe(false);
  expect(areFresh(client, (any) => [walletChangeEligibilityQuery(any)])).toBe(false);
  expect(areFresh(client, (any) => [nodePassQuery(any)])).toBe(false);
});

// specification: 9.19
test("the browser's cache retries twice and forgets after 30 minutes", async () => {
  const client = createQueryClient();
  fetch.mockRejectedValue(new Error("down"));
  const outcome = client.query(userQuery(read)).catch((error: unknown) => error);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(await outcome).toMatchObject({ message: "down", code: "NETWORK_ERROR" });
  expect(fetch.mock.calls.filter(([to]) => to === "/read/user")).toHaveLength(3);

  await vi.advanceTimersByTimeAsync(30 * MINUTE);
  expect(client.getQueryCache().getAll()).toEqual([]);
});
