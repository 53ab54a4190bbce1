import type { Deps } from "../deps.ts";
import { route, type Route } from "../http/endpoint.ts";
import * as contract from "./contract.ts";
import { readProfile, readUser, updateProfile } from "./service.ts";

export const profileApi = (deps: Deps): Route[] => [
  route(contract.readProfile, ({ caller }) => readProfile(deps, caller.userId)),
  route(contract.updateProfile, ({ body, caller }) => updateProfile(deps, caller.userId, body)),
  route(contract.readUser, ({ caller }) => readUser(deps, caller.userId)),
];
