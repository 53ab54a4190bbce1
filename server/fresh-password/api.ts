import type { AuthProvider } from "../auth/provider/auth-provider.ts";
import type { Deps } from "../deps.ts";
import { route, type Route } from "../http/endpoint.ts";
import * as contract from "./contract.ts";
import { confirmPassword, readStanding } from "./service.ts";

export const freshPasswordApi = (deps: Deps, provider: Pick<AuthProvider, "provePassword">): Route[] => [
  route(contract.readStanding, ({ caller }) => readStanding(deps, caller)),
  route(contract.confirmPassword, ({ body, ...asked }) => confirmPassword(deps, provider, body, asked)),
];
