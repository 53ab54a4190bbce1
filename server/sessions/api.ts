import type { Deps } from "../deps.ts";
import { route, type Route } from "../http/endpoint.ts";
import * as contract from "./contract.ts";
import { logout, readSessions, revokeOtherSessions, revokeSession } from "./service.ts";

/** Who may have a session of its own behind one of ours. */
type Provider = { release(): Promise<void> };

export const sessionsApi = (deps: Deps, provider: Provider): Route[] => [
  route(contract.readSessions, ({ caller }) => readSessions(deps, caller)),
  route(contract.revokeSession, ({ params, ...asked }) => released(provider, revokeSession(deps, params, asked))),
  route(contract.revokeOtherSessions, (asked) => released(provider, revokeOtherSessions(deps, asked))),
  route(contract.logout, (asked) => released(provider, logout(deps, asked))),
];

/** Has the provider end what was ended here. Nobody waits for that. */
async function released<T>(provider: Provider, ending: Promise<T>): Promise<T> {
  const result = await ending;
  void provider.release();
  return result;
}
