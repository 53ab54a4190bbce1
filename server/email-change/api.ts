import type { AuthProvider } from "../auth/provider/auth-provider.ts";
import type { Deps } from "../deps.ts";
import { route, type Route } from "../http/endpoint.ts";
import * as contract from "./contract.ts";
import { readEmailChange, requestEmailChange, resendEmailChange, verifyEmailChange } from "./service.ts";

export const emailChangeApi = (deps: Deps, provider: Pick<AuthProvider, "provePassword">): Route[] => [
  route(contract.readEmailChange, ({ caller }) => readEmailChange(deps, caller)),
  route(contract.requestEmailChange, ({ body, ...asked }) => requestEmailChange(deps, provider, body, asked)),
  route(contract.resendEmailChange, (asked) => resendEmailChange(deps, asked)),
  route(contract.verifyEmailChange, ({ body, ...asked }) => verifyEmailChange(deps, body, asked)),
];
