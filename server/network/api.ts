import { asAdministrator } from "../administration/actor.ts";
import type { Deps } from "../deps.ts";
import { route, type Route } from "../http/endpoint.ts";
import * as contract from "./contract.ts";
import { readOverview } from "./service.ts";

export const networkApi = (deps: Deps): Route[] => [
  route(contract.readOverview, ({ caller }) => readOverview(deps, asAdministrator(caller))),
];
