const SECOND = 1000;
const MINUTE = 60 * SECOND;

/** How long data is fresh and how long it is kept, in milliseconds, and how often to retry a failed read. */
export type CacheTimes = { staleTime: number; gcTime?: number; retry: number | false; refetchOnWindowFocus?: boolean };

/** The defaults of queries and mutations (product specification, section 9). */
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

/** The cache table of the product specification, section 9, row by row. A row leaves out what is "default" there. */
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
