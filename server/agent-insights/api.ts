import type { Deps } from "../deps.ts";
import { route, type Route } from "../http/endpoint.ts";
import * as contract from "./contract.ts";
import { readContentPointsHistory } from "./service.ts";

export const contentApi = (deps: Deps): Route[] => [
  route(contract.readContentPointsHistory, ({ caller, query }) => readContentPointsHistory(deps, caller.userId, query)),
];
