import { expect, test, vi } from "vitest";
import { CACHE_DEFAULTS } from "./cache-times.ts";
import * as queries from "./queries.ts";
import { createQueryClient, type AnyRead } from "./query-client.ts";
import type { Read } from "./reads.ts";
import { WRITE_RETRIES } from "./write-retries.ts";

const MINUTE = 60_000;
const read = vi.fn<Read>(() => Promise.reject(new Error("not read here")));
const log = { page: 1, limit: 10 };

// The cache table of the product specification, section 9: fresh, retention, retries. "default" is 30 minutes.
test.each<[string, Omit<AnyRead, "staleTime">, number, number, number | false]>([
  ["user", queries.userQuery(read), 30 * MINUTE, 30 * MINUTE, 2],
  ["stats", queries.statsQuery(read), 30 * MINUTE, 30 * MINUTE, 2],
  ["whitelist", queries.whitelistQuery(read), 30 * MINUTE, 30 * MINUTE, 2],
  ["terms status", queries.termsQuery(read), 30_000, 30 * MINUTE, 2],
  ["Machine ID status", queries.machineIdStatusQuery(read), 30 * MINUTE, 30 * MINUTE, 2],
  ["machine identity", queries.machineIdentityQuery(read), 30 * MINUTE, 30 * MINUTE, 2],
  ["requirements", queries.smartIdRequirementsQuery(read), 30 * MINUTE, 30 * MINUTE, 2],
  ["smart account", queries.smartAccountQuery(read), 15 * MINUTE, 30 * MINUTE, 2],
  ["privacy acceptance", queries.privacyQuery(read), 5 * MINUTE, 30 * MINUTE, 2],
  ["onboarded", queries.onboardedQuery(read), Infinity, 30 * MINUTE, 2],
  ["points log", queries.pointsLogQuery(read, log), 5 * MINUTE, 30 * MINUTE, 2],
  ["referrals", queries.referralsQuery(read, log), 30_000, 5 * MINUTE, 2],
  ["campaign submissions", queries.submissionsQuery(read), 30 * MINUTE, 30 * MINUTE, 2],
  ["points history", queries.pointsHistoryQuery(read, { range: "last7days" }), 30 * MINUTE, 30 * MINUTE, 2],
  ["data stats", queries.dataStatsQuery(read), 5 * MINUTE, 30 * MINUTE, false],
  ["content points", queries.contentPointsQuery(read, log), 30 * MINUTE, 30 * MINUTE, 2],
  ["heartbeat status", queries.heartbeatStatusQuery(read), 30 * MINUTE, 30 * MINUTE, 2],
  ["wallet change eligibility", queries.walletChangeEligibilityQuery(read), 30 * MINUTE, 30 * MINUTE, 2],
])("cache times of %s", (_, options, staleTime, gcTime, retry) => {
  const settled = createQueryClient().defaultQueryOptions({ ...options, queryFn: undefined });
  expect(settled).toMatchObject({ staleTime, gcTime, retry, refetchOnWindowFocus: true });
});

test("defaults: fresh and kept for 30 minutes, two retries of reads and one of writes, refetched on focus", () => {
  expect(CACHE_DEFAULTS).toEqual({
    queries: { staleTime: 30 * MINUTE, gcTime: 30 * MINUTE, retry: 2, refetchOnWindowFocus: true },
    mutations: { retry: 1 },
  });
  expect(createQueryClient().getDefaultOptions()).toMatchObject(CACHE_DEFAULTS);
});

test("retries of writes", () => {
  expect(WRITE_RETRIES).toEqual({
    default: 1,
    login: 0,
    onboard: 0,
    acceptTerms: 1,
    claim: 1,
    requestMachineId: 1,
    updateMachineIdSignature: 0,
  });
});

test("a read's name and query are its key, and what is asked for", async () => {
  const options = queries.pointsLogQuery(read, { page: 2, limit: 10, category: "Rewards" });
  expect(options.queryKey).toEqual(["points-log", { page: 2, limit: 10, category: "Rewards" }]);
  await expect(createQueryClient().query({ ...options, retry: false })).rejects.toThrow("not read here");
  expect(read.mock.lastCall).toEqual(["points-log", options.queryKey[1], expect.any(AbortSignal)]);
});
