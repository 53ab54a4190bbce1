import type { Deps } from "../deps.ts";
import { createBatchQueue } from "../fair-share/batch-queue.ts";
import { route, type Route } from "../http/endpoint.ts";
import { LIMITS } from "../rate-limits/rules.ts";
import * as contract from "./contract.ts";
import { readDailyJobs, readDataStats, readNetworkJobs, recordJobResults } from "./jobs.ts";
import { readContentPointsHistory } from "./service.ts";

export function agentInsightsApi(deps: Deps): Route[] {
  const batches = createBatchQueue();
  return [
    route(
      contract.sendJobResults,
      ({ body, caller }) => batches.run(caller.userId, () => recordJobResults(deps, caller, body)),
      { admit: ({ caller }) => deps.limits.take(LIMITS.jobResultsByAccount, caller.userId) },
    ),
    route(contract.readDailyJobs, ({ caller, query }) => readDailyJobs(deps, caller.userId, query)),
    route(contract.readNetworkJobs, ({ caller, query }) => readNetworkJobs(deps, caller.userId, query)),
    route(contract.readDataStats, ({ caller }) => readDataStats(deps, caller.userId)),
    route(contract.readContentPointsHistory, ({ caller, query }) =>
      readContentPointsHistory(deps, caller.userId, query),
    ),
  ];
}
