import { asAdministrator, by } from "../administration/actor.ts";
import type { Deps } from "../deps.ts";
import { route, type Route } from "../http/endpoint.ts";
import * as contract from "./contract.ts";
import { readIncoming } from "./incoming.ts";
import { pauseWebhook, resumeWebhook } from "./pause.ts";
import { addWebhook, readDeliveries, readWebhooks, removeWebhook, replay, rotateWebhook } from "./endpoints.ts";

export const webhooksApi = (deps: Deps): Route[] => [
  route(contract.readWebhooks, ({ caller }) => readWebhooks(deps, asAdministrator(caller))),
  route(contract.addWebhook, ({ body: { reason, ...webhook }, caller }) =>
    addWebhook(deps, by(caller, reason), webhook),
  ),
  route(contract.removeWebhook, ({ body: { reason }, caller, params }) =>
    removeWebhook(deps, by(caller, reason), params),
  ),
  route(contract.pauseWebhook, ({ body: { reason }, caller, params }) =>
    pauseWebhook(deps, by(caller, reason), params),
  ),
  route(contract.resumeWebhook, ({ body: { reason }, caller, params }) =>
    resumeWebhook(deps, by(caller, reason), params),
  ),
  route(contract.rotateWebhook, ({ body: { reason, ...rotation }, caller, params }) =>
    rotateWebhook(deps, by(caller, reason), { ...params, ...rotation }),
  ),
  route(contract.readIncomingWebhooks, ({ caller }) => readIncoming(deps, asAdministrator(caller))),
  route(contract.readDeliveries, ({ caller, params, query }) =>
    readDeliveries(deps, asAdministrator(caller), { ...params, ...query }),
  ),
  route(contract.replayWebhook, ({ body: { reason, ...asked }, caller, params }) =>
    replay(deps, by(caller, reason), { ...params, ...asked }),
  ),
];
