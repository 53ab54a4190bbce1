import { asAdministrator, type Act } from "../administration/actor.ts";
import type { Deps } from "../deps.ts";
import { route, type Caller, type Route } from "../http/endpoint.ts";
import * as contract from "./contract.ts";
import { approveAdjustment, declineAdjustment, makeAdjustment, readAdjustmentRequests } from "./service.ts";

const by = (caller: Caller, reason: string): Act => ({ actor: asAdministrator(caller), reason });

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
