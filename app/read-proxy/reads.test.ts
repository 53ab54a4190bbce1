import { expect, test, vi } from "vitest";
import { contentPointsQuery, dataStatsQuery } from "../agent-insights/reads.ts";
import { CACHE_DEFAULTS } from "../cache/cache-times.ts";
import { createQueryClient, refreshReads, type AnyRead } from "../cache/query-client.ts";
import type { Read } from "../cache/read.ts";
import { privacyQuery, termsQuery } from "../legal/reads.ts";
import {
  machineIdentityQuery,
  machineIdStatusQuery,
  smartAccountQuery,
  smartIdRequirementsQuery,
} from "../machine-id/reads.ts";
import { onboardedQuery, userQuery, whitelistQuery } from "../member/reads.ts";
import { pointsHistoryQuery, pointsLogDetailQuery, pointsLogQuery, statsQuery } from "../points/reads.ts";
import { READS } from "./reads.ts";
import { referralsQuery } from "../referrals/reads.ts";
import { heartbeatStatusQuery, submissionsQuery } from "../rewards/reads.ts";
import { walletChangeEligibilityQuery } from "../wallet/reads.ts";

const MINUTE = 60_000;
const asked = vi.fn<(...call: unknown[]) => void>();
const read: Read = (...call) => {
  asked(...call);
  return Promise.reject(new Error("not read here"));
};
const log = { page: 1, limit: 10 };

// The cache table of the product specification, section 9: fresh, retention, retries. "default" is 30 minutes.
// specification: 9.20, 9.21, 9.23, 9.24, 9.25, 9.26, 9.27, 9.28, 9.29, 9.30, 9.31
test.each<[string, Omit<AnyRead, "staleTime">, number, number, number | false]>([
  ["user", userQuery(read), 30 * MINUTE, 30 * MINUTE, 2],
  ["stats", statsQuery(read), 30 * MINUTE, 30 * MINUTE, 2],
  ["whitelist", whitelistQuery(read), 30 * MINUTE, 30 * MINUTE, 2],
  ["terms status", termsQuery(read), 30_000, 30 * MINUTE, 2],
  ["Machine ID status", machineIdStatusQuery(read), 30 * MINUTE, 30 * MINUTE, 2],
  ["machine identity", machineIdentityQuery(read), 30 * MINUTE, 30 * MINUTE, 2],
  ["requirements", smartIdRequirementsQuery(read), 30 * MINUTE, 30 * MINUTE, 2],
  ["smart account", smartAccountQuery(read), 15 * MINUTE, 30 * MINUTE, 2],
  ["privacy acceptance", privacyQuery(read), 5 * MINUTE, 30 * MINUTE, 2],
  ["onboarded", onboardedQuery(read), Infinity, 30 * MINUTE, 2],
  ["points log", pointsLogQuery(read, log), 5 * MINUTE, 30 * MINUTE, 2],
  ["referrals", referralsQuery(read, log), 30_000, 5 * MINUTE, 2],
  ["campaign submissions", submissionsQuery(read), 30 * MINUTE, 30 * MINUTE, 2],
  ["points history", pointsHistoryQuery(read, { range: "last7days" }), 30 * MINUTE, 30 * MINUTE, 2],
  ["data stats", dataStatsQuery(read), 5 * MINUTE, 30 * MINUTE, false],
  ["content points", contentPointsQuery(read, log), 30 * MINUTE, 30 * MINUTE, 2],
  ["heartbeat status", heartbeatStatusQuery(read), 30 * MINUTE, 30 * MINUTE, 2],
  ["wallet change eligibility", walletChangeEligibilityQuery(read), 30 * MINUTE, 30 * MINUTE, 2],
])("cache times of %s", (_, options, staleTime, gcTime, retry) => {
  const settled = createQueryClient().defaultQueryOptions({ ...options, queryFn: undefined });
  expect(settled).toMatchObject({ staleTime, gcTime, retry, refetchOnWindowFocus: true });
});

// specification: 9.19
test("defaults: fresh and kept for 30 minutes, two retries of reads and one of writes, refetched on focus", () => {
  expect(CACHE_DEFAULTS).toEqual({
    queries: { staleTime: 30 * MINUTE, gcTime: 30 * MINUTE, retry: 2, refetchOnWindowFocus: true },
    mutations: { retry: 1 },
  });
  expect(createQueryClient().getDefaultOptions()).toMatchObject(CACHE_DEFAULTS);
});

test("a read's name and query are its key and its request", async () => {
  const options = pointsLogQuery(read, { page: 2, limit: 10, category: "Rewards" });
  expect(options.queryKey).toEqual(["points-log", { page: 2, limit: 10, category: "Rewards" }]);
  await expect(createQueryClient().query({ ...options, retry: false })).rejects.toThrow("not read here");
  expect(asked.mock.lastCall).toEqual([
    expect.objectContaining({ path: "points-log" }),
    options.queryKey[1],
    expect.any(AbortSignal),
  ]);
});

const FEATURES = import.meta.glob<Record<string, unknown>>("../*/reads.ts", { eager: true });

test("every read of a feature is available to the browser at its own path", () => {
  const paths = Object.values(FEATURES)
    .flatMap((feature) => Object.values(feature))
    .flatMap((value) => (typeof value === "function" && "path" in value ? [value.path] : []));
  expect(paths.length).toBeGreaterThan(30);
  expect(new Set(paths).size).toBe(paths.length);
  expect(new Set(READS.keys())).toEqual(new Set(paths));
});

test("a change invalidates the reads that declare it, on all pages, and no others", async () => {
  const client = createQueryClient();
  const list = [
    userQuery(read),
    statsQuery(read),
    pointsLogQuery(read, log),
    pointsLogQuery(read, { ...log, page: 2 }),
  ];
  for (const { queryKey } of list) client.setQueryData(queryKey, {});
  const stale = () => list.map(({ queryKey }) => client.getQueryState(queryKey)?.isInvalidated);

  await refreshReads(client, "points");
  expect(stale()).toEqual([false, false, true, true]);
  await refreshReads(client, "account", "totals");
  expect(stale()).toEqual([true, true, true, true]);
});

test("late points invalidate the details of an open entry, with its running total", async () => {
  const client = createQueryClient();
  const { queryKey } = pointsLogDetailQuery(read, { id: "newest" });
  client.setQueryData(queryKey, {});
  await refreshReads(client, "points");
  expect(client.getQueryState(queryKey)?.isInvalidated).toBe(true);
});
