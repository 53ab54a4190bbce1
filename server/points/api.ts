import type { Deps } from "../deps.ts";
import { route, type Route } from "../http/endpoint.ts";
import * as contract from "./contract.ts";
import { readPointsRules } from "./rules.ts";
import { readPointsHistory, readPointsLog, readStats } from "./service.ts";

export const pointsApi = (deps: Deps): Route[] => [
  route(contract.readStats, ({ caller }) => readStats(deps, caller.userId)),
  route(contract.readPointsHistory, ({ caller, query }) => readPointsHistory(deps, caller.userId, query.range)),
  route(contract.readPointsLog, ({ caller, query }) => readPointsLog(deps, caller.userId, query)),
  route(contract.readPointsRules, async () => readPointsRules(deps.env)),
];
