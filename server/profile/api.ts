import type { Deps } from "../deps.ts";
import { route, type Route } from "../http/endpoint.ts";
import * as contract from "./contract.ts";
import { readUser } from "./service.ts";

export const profileApi = (deps: Deps): Route[] => [
  route(contract.readUser, ({ caller }) => readUser(deps, caller.userId)),
];
