import { asAdministrator, by } from "../administration/actor.ts";
import type { Deps } from "../deps.ts";
import { route, type Route } from "../http/endpoint.ts";
import * as contract from "./contract.ts";
import { checkWhitelisted, readWhitelist, setWhitelisted } from "./service.ts";

export const whitelistApi = (deps: Deps): Route[] => [
  route(contract.setWhitelisted, ({ body: { reason, ...change }, caller }) =>
    setWhitelisted(deps, by(caller, reason), change),
  ),
  route(contract.readWhitelist, ({ caller, query }) => readWhitelist(deps, asAdministrator(caller), query)),
  route(contract.checkWhitelisted, ({ body, caller }) => checkWhitelisted(deps, asAdministrator(caller), body)),
];
