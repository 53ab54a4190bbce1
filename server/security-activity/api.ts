import type { Deps } from "../deps.ts";
import { route, type Route } from "../http/endpoint.ts";
import * as contract from "./contract.ts";
import { readSecurityActivity } from "./service.ts";

export const securityActivityApi = (deps: Deps): Route[] => [
  route(contract.readSecurityActivity, ({ caller, query }) => readSecurityActivity(deps, caller.userId, query)),
];
