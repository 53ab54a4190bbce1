import type { Deps } from "../deps.ts";
import { route, type Route } from "../http/endpoint.ts";
import * as contract from "./contract.ts";
import { claim, readSubmissions } from "./service.ts";

export const rewardsApi = (deps: Deps): Route[] => [
  route(contract.readSubmissions, ({ caller }) => readSubmissions(deps, caller.userId)),
  route(contract.claimReward, ({ caller, params }) => claim(deps, caller.userId, params)),
];
