import type { Deps } from "../deps.ts";
import { route, type Route } from "../http/endpoint.ts";
import * as contract from "./contract.ts";
import {
  logout,
  readSessions,
  releaseAfter,
  revokeOtherSessions,
  revokeSession,
  type SessionProvider,
} from "./service.ts";

export const sessionsApi = (deps: Deps, provider: SessionProvider): Route[] => [
  route(contract.readSessions, ({ caller }) => readSessions(deps, caller)),
  // Before the routes of single sessions, which have an id in the same place.
  route(contract.revokeOtherSessions, (asked) => releaseAfter(provider, revokeOtherSessions(deps, asked))),
  route(contract.revokeSession, ({ params, ...asked }) => releaseAfter(provider, revokeSession(deps, params, asked))),
  route(contract.logout, (asked) => releaseAfter(provider, logout(deps, asked))),
];
