import type { Deps } from "../deps.ts";
import { route, type Route } from "../http/endpoint.ts";
import * as contract from "./contract.ts";
import { logout, readSessions, revokeOtherSessions, revokeSession } from "./service.ts";

export const sessionsApi = (deps: Deps): Route[] => [
  route(contract.readSessions, ({ caller }) => readSessions(deps, caller)),
  route(contract.revokeSession, ({ params, ...asked }) => revokeSession(deps, params, asked)),
  route(contract.revokeOtherSessions, (asked) => revokeOtherSessions(deps, asked)),
  route(contract.logout, (asked) => logout(deps, asked)),
];
