import type { Deps } from "../deps.ts";
import { route, type Route } from "../http/endpoint.ts";
import * as contract from "./contract.ts";
import { changeWallet, detectWallet, issueMessage, linkWallet, readChangeEligibility } from "./service.ts";

export const walletApi = (deps: Deps): Route[] => [
  route(contract.readWalletMessage, async ({ caller, query }) => issueMessage(deps, query, caller)),
  route(contract.detectWallet, ({ caller, query }) => detectWallet(deps, query, caller)),
  route(contract.linkWallet, ({ body, caller, client }) => linkWallet(deps, body, { caller, client })),
  route(contract.readWalletChangeEligibility, ({ caller }) => readChangeEligibility(deps, caller)),
  route(contract.changeWallet, ({ body, caller, client }) => changeWallet(deps, body, { caller, client })),
];
