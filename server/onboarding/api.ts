import type { Deps } from "../deps.ts";
import { route, type Route } from "../http/endpoint.ts";
import * as contract from "./contract.ts";
import { onboardCaller, readOnboarded, readWhitelisted } from "./service.ts";

export const onboardingApi = (deps: Deps): Route[] => [
  route(contract.readWhitelisted, ({ caller }) => readWhitelisted(deps, caller.userId)),
  route(contract.readOnboarded, ({ caller }) => readOnboarded(deps, caller.userId)),
  route(contract.onboard, ({ body, caller }) => onboardCaller(deps, caller, body.userId)),
];
