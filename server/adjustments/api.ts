import { asAdministrator, by } from "../administration/actor.ts";
import type { Deps } from "../deps.ts";
import { route, type Route } from "../http/endpoint.ts";
import * as contract from "./contract.ts";
import { approveAdjustment, declineAdjustment, makeAdjustment, readAdjustmentRequests } from "./service.ts";

export const adjustmentsApi = (deps: Deps): Route[] => [
  route(contract.readAdjustmentRequests, ({ caller, query }) =>
    readAdjustmentRequests(deps, asAdministrator(caller), query),
  ),
  route(contract.makeAdjustment, ({ body: { reason, ...adjustment }, caller }) =>
    makeAdjustment(deps, by(caller, reason), adjustment),
  ),
  route(contract.approveAdjustment, ({ body, caller, params }) =>
    approveAdjustment(deps, by(caller, body.reason), params),
  ),
  route(contract.declineAdjustment, ({ body, caller, params }) =>
    declineAdjustment(deps, by(caller, body.reason), params),
  ),
];
