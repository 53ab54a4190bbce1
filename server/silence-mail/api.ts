import type { Deps } from "../deps.ts";
import { route, type Route } from "../http/endpoint.ts";
import * as contract from "./contract.ts";
import { readSilenceMail, setSilenceMail, unsubscribe } from "./service.ts";

export const silenceMailApi = (deps: Deps): Route[] => [
  route(contract.readSilenceMail, ({ caller }) => readSilenceMail(deps, caller.userId)),
  route(contract.setSilenceMail, ({ body, caller }) => setSilenceMail(deps, body, caller)),
  route(contract.unsubscribeSilenceMail, ({ body }) => unsubscribe(deps, body)),
];
