import type { Deps } from "../deps.ts";
import { route, type Route } from "../http/endpoint.ts";
import * as contract from "./contract.ts";
import { readDailyJobs, readDataStats, readNetworkJobs, recordJobResults } from "./jobs.ts";
import { readContentPointsHistory } from "./service.ts";

export const agentInsightsApi = (deps: Deps): Route[] => [
  route(contract.sendJobResults, ({ body, caller }) => recordJobResults(deps, caller, body)),
  route(contract.readDailyJobs, ({ caller, query }) => readDailyJobs(deps, caller.userId, query)),
  route(contract.readNetworkJobs, ({ query }) => readNetworkJobs(deps, query)),
  route(contract.readDataStats, ({ caller }) => readDataStats(deps, caller.userId)),
  route(contract.readContentPointsHistory, ({ caller, query }) => readContentPointsHistory(deps, caller.userId, query)),
];
