import type { Deps } from "../deps.ts";
import { route, type Route } from "../http/endpoint.ts";
import { LIMITS } from "../rate-limits/rules.ts";
import * as contract from "./contract.ts";
import { readLogDetail } from "./detail.ts";
import { exportLog } from "./export.ts";
import { readPointsRules } from "./rules.ts";
import { readPointsHistory, readPointsLog, readStats } from "./service.ts";

export const pointsApi = (deps: Deps): Route[] => [
  route(contract.readStats, ({ caller }) => readStats(deps, caller.userId)),
  route(contract.readPointsHistory, ({ caller, query }) => readPointsHistory(deps, caller.userId, query)),
  route(contract.readPointsLog, ({ caller, query }) => readPointsLog(deps, caller.userId, query)),
  // Before the rows, whose ids stand in the same place.
  route(
    contract.exportPointsLog,
    ({ caller, query }) => exportLog(deps, caller.userId, query),
    ({ caller }) => deps.limits.take(LIMITS.logExportByAccount, caller.userId),
  ),
  route(contract.readPointsLogDetail, ({ caller, params }) => readLogDetail(deps, caller.userId, params.id)),
  route(contract.readPointsRules, async () => readPointsRules(deps.env)),
];
