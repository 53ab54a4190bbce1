import type { Deps } from "../deps.ts";
import { route, type Route } from "../http/endpoint.ts";
import { LIMITS } from "../rate-limits/rules.ts";
import * as contract from "./contract.ts";
import { readLogDetail } from "./log/detail.ts";
import { exportLog } from "./log/export.ts";
import type { PointsRules } from "./contract.ts";
import type { RuleBook } from "./rules.ts";
import { readPointsHistory, readPointsLog, readStats } from "./service.ts";

/** The rules that the features declare: `describe` explains a single row, and `figures` lists the amounts. */
type Earning = { describe: RuleBook; figures: PointsRules };

export const pointsApi = (deps: Deps, { describe, figures }: Earning): Route[] => [
  route(contract.readStats, ({ caller }) => readStats(deps, caller.userId)),
  route(contract.readPointsHistory, ({ caller, query }) => readPointsHistory(deps, caller.userId, query)),
  route(contract.readPointsLog, ({ caller, query }) => readPointsLog(deps, caller.userId, query)),
  // Must come before the detail route, whose id is in the same place of the path.
  route(contract.exportPointsLog, ({ caller, query }) => exportLog(deps, caller.userId, query), {
    admit: ({ caller }) => deps.limits.take(LIMITS.logExportByAccount, caller.userId),
  }),
  route(contract.readPointsLogDetail, ({ caller, params }) =>
    readLogDetail({ ...deps, describe }, caller.userId, params.id),
  ),
  route(contract.readPointsRules, async () => figures),
];
