import { CACHE_TIMES } from "./cache-times.ts";
import type {
  DaysQuery,
  PageQuery,
  PointsHistoryQuery,
  PointsLogQuery,
  Read,
  ReadName,
  ReferralsQuery,
  RefusedBeatsQuery,
  Reads,
  UptimeQuery,
} from "./reads.ts";

/**
 * Every read as React Query options, for loaders (a typed client behind `read`) and the browser (the read proxy).
 * The key is the read's name and its query, so that a name alone addresses all its pages.
 */
function readOptions<Name extends ReadName>(read: Read, name: Name, query: Reads[Name]["query"]) {
  return {
    queryKey: [name, query] as const,
    queryFn: ({ signal }: { signal: AbortSignal }) => read(name, query, signal),
  };
}

export const userQuery = (read: Read) => ({ ...readOptions(read, "user", {}), ...CACHE_TIMES.user });

export const statsQuery = (read: Read) => ({ ...readOptions(read, "stats", {}), ...CACHE_TIMES.stats });

export const rulesQuery = (read: Read) => readOptions(read, "rules", {});

export const whitelistQuery = (read: Read) => ({ ...readOptions(read, "whitelist", {}), ...CACHE_TIMES.whitelist });

export const onboardedQuery = (read: Read) => ({ ...readOptions(read, "onboarded", {}), ...CACHE_TIMES.onboarded });

export const termsQuery = (read: Read) => ({ ...readOptions(read, "terms", {}), ...CACHE_TIMES.terms });

export const privacyQuery = (read: Read) => ({ ...readOptions(read, "privacy", {}), ...CACHE_TIMES.privacy });

export const pointsHistoryQuery = (read: Read, query: PointsHistoryQuery) => ({
  ...readOptions(read, "points-history", query),
  ...CACHE_TIMES.pointsHistory,
});

export const pointsLogQuery = (read: Read, query: PointsLogQuery) => ({
  ...readOptions(read, "points-log", query),
  ...CACHE_TIMES.pointsLog,
});

export const pointsLogDetailQuery = (read: Read, query: { id: string }) => ({
  ...readOptions(read, "points-log-detail", query),
  ...CACHE_TIMES.pointsLog,
});

export const contentPointsQuery = (read: Read, query: PageQuery) => readOptions(read, "content-points", query);

export const campaignMailQuery = (read: Read) => readOptions(read, "campaign-mail", {});

export const sessionsQuery = (read: Read) => readOptions(read, "sessions", {});

export const devicesQuery = (read: Read) => readOptions(read, "devices", {});

export const securityActivityQuery = (read: Read, query: PageQuery) => readOptions(read, "security-activity", query);

export const dataStatsQuery = (read: Read) => ({ ...readOptions(read, "data-stats", {}), ...CACHE_TIMES.dataStats });

export const dailyJobsQuery = (read: Read, query: DaysQuery) => ({
  ...readOptions(read, "daily-jobs", query),
  ...CACHE_TIMES.dataStats,
});

export const networkJobsQuery = (read: Read, query: DaysQuery) => ({
  ...readOptions(read, "network-jobs", query),
  ...CACHE_TIMES.dataStats,
});

export const referralsQuery = (read: Read, query: ReferralsQuery) => ({
  ...readOptions(read, "referrals", query),
  ...CACHE_TIMES.referrals,
});

export const submissionsQuery = (read: Read) => ({
  ...readOptions(read, "submissions", {}),
  ...CACHE_TIMES.submissions,
});

export const heartbeatStatusQuery = (read: Read) => readOptions(read, "heartbeat-status", {});

/** Of what a running node changes all the time, in milliseconds. */
const NODE_FRESH = { staleTime: 60_000 };

export const uptimeQuery = (read: Read, query: UptimeQuery) => ({
  ...readOptions(read, "uptime", query),
  ...NODE_FRESH,
});

export const refusedBeatsQuery = (read: Read, query: RefusedBeatsQuery) => ({
  ...readOptions(read, "refused-beats", query),
  ...NODE_FRESH,
});

export const silenceMailQuery = (read: Read) => readOptions(read, "silence-mail", {});

export const walletChangeEligibilityQuery = (read: Read) => readOptions(read, "wallet-change-eligibility", {});

export const smartIdRequirementsQuery = (read: Read) => ({
  ...readOptions(read, "smart-id-requirements", {}),
  ...CACHE_TIMES.machineId,
});

export const smartAccountQuery = (read: Read) => ({
  ...readOptions(read, "smart-account", {}),
  ...CACHE_TIMES.smartAccount,
});

export const machineIdStatusQuery = (read: Read) => ({
  ...readOptions(read, "machine-id-status", {}),
  ...CACHE_TIMES.machineId,
});

export const machineIdentityQuery = (read: Read) => ({
  ...readOptions(read, "machine-identity", {}),
  ...CACHE_TIMES.machineId,
});

export const machineTimelineQuery = (read: Read) => ({
  ...readOptions(read, "machine-timeline", {}),
  ...CACHE_TIMES.machineId,
});

export const nodePassQuery = (read: Read) => readOptions(read, "node-pass", {});
