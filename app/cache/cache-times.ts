const SECOND = 1000;
const MINUTE = 60 * SECOND;

/** How long data counts as fresh and is kept, in milliseconds, and how often a failed read is tried again. */
export type CacheTimes = { staleTime: number; gcTime?: number; retry: number | false; refetchOnWindowFocus?: boolean };

/** What holds for every query and mutation that says nothing else (product specification, section 9). */
export const CACHE_DEFAULTS = {
  queries: { staleTime: 30 * MINUTE, gcTime: 30 * MINUTE, retry: 2, refetchOnWindowFocus: true },
  mutations: { retry: 1 },
};

const member = {
  staleTime: 30 * MINUTE,
  gcTime: 30 * MINUTE,
  retry: 2,
  refetchOnWindowFocus: true,
} satisfies CacheTimes;

/** The cache table of the product specification, section 9, row by row. Where it says "default" the row is silent. */
export const CACHE_TIMES = {
  user: member,
  stats: member,
  whitelist: member,
  terms: { staleTime: 30 * SECOND, retry: 2 },
  machineId: { staleTime: 30 * MINUTE, retry: 2 },
  smartAccount: { staleTime: 15 * MINUTE, retry: 2 },
  privacy: { staleTime: 5 * MINUTE, retry: 2 },
  // Infinity rather than "static": onboarding refreshes it by invalidation.
  onboarded: { staleTime: Infinity, retry: 2 },
  pointsLog: { staleTime: 5 * MINUTE, gcTime: 30 * MINUTE, retry: 2 },
  referrals: { staleTime: 30 * SECOND, gcTime: 5 * MINUTE, retry: 2 },
  submissions: { staleTime: 30 * MINUTE, retry: 2 },
  pointsHistory: { staleTime: 30 * MINUTE, gcTime: 30 * MINUTE, retry: 2, refetchOnWindowFocus: true },
  dataStats: { staleTime: 5 * MINUTE, gcTime: 30 * MINUTE, retry: false, refetchOnWindowFocus: true },
} satisfies Record<string, CacheTimes>;
