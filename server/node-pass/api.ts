import type { Deps } from "../deps.ts";
import { route, type Route } from "../http/endpoint.ts";
import { readNodePass, readNodePassToken } from "./contract.ts";
import { readMemberPass, readPassToken } from "./service.ts";

export const nodePassApi = (deps: Deps): Route[] => [
  route(readNodePass, ({ caller }) => readMemberPass(deps, caller.userId)),
  route(readNodePassToken, ({ caller, params }) => readPassToken(deps, caller.userId, params.tokenId)),
];
