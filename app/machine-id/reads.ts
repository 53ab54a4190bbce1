import { CACHE_TIMES } from "../cache/cache-times.ts";
import type { PageReads } from "../page/page-reads.ts";
import { defineRead } from "../cache/read.ts";

export const smartIdRequirementsQuery = defineRead("smart-id-requirements", {
  source: (api) => api.machineId.requirements(),
  staleAfter: ["heartbeats", "profile", "machine-id", "wallet"],
  ...CACHE_TIMES.machineId,
});

export const smartAccountQuery = defineRead("smart-account", {
  source: (api) => api.machineId.smartAccount(),
  staleAfter: ["machine-id"],
  ...CACHE_TIMES.smartAccount,
});

export const machineIdStatusQuery = defineRead("machine-id-status", {
  source: (api) => api.machineId.status(),
  staleAfter: ["machine-id"],
  ...CACHE_TIMES.machineId,
});

export const machineIdentityQuery = defineRead("machine-identity", {
  source: (api) => api.machineId.identity(),
  staleAfter: ["machine-id"],
  ...CACHE_TIMES.machineId,
});

export const machineTimelineQuery = defineRead("machine-timeline", {
  source: (api) => api.machineId.timeline(),
  staleAfter: ["machine-id"],
  ...CACHE_TIMES.machineId,
});

/** Returns the header's reads about the member's Machine ID. Its record is read only once there is one. */
export async function machineIdReads({ get, read }: PageReads) {
  const statuses = [smartAccountQuery(read), machineIdStatusQuery(read)];
  // The reads themselves report any failure. The header then shows no button.
  const [, machineId] = await Promise.allSettled([get(smartAccountQuery(read)), get(machineIdStatusQuery(read))]);
  const isComplete = machineId.status === "fulfilled" && machineId.value.status === "completed";
  return isComplete ? [...statuses, machineIdentityQuery(read)] : statuses;
}
