import type { Deps } from "../deps.ts";
import { route, type Route } from "../http/endpoint.ts";
import * as contract from "./contract.ts";
import { login, logout } from "./service.ts";

export const accountApi = (deps: Deps): Route[] => [
  route(contract.login, ({ body }) => login(deps, body)),
  route(contract.logout, ({ caller }) => logout(deps, caller)),
  route(contract.issueBotCheck, async () => ({ turnstileToken: await deps.botCheck.issue() })),
];
