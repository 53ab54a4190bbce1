import type { Deps } from "../deps.ts";
import { route, type Route } from "../http/endpoint.ts";
import * as contract from "./contract.ts";
import { readDevices, readHeartbeatStatus, recordHeartbeats, registerDevice, revokeDevice } from "./service.ts";

export const heartbeatsApi = (deps: Deps): Route[] => [
  route(contract.sendHeartbeats, ({ body, caller }) => recordHeartbeats(deps, caller, body)),
  route(contract.registerDevice, ({ body, ...asked }) => registerDevice(deps, body, asked)),
  route(contract.readDevices, ({ caller }) => readDevices(deps, caller.userId)),
  route(contract.revokeDevice, ({ params, ...asked }) => revokeDevice(deps, params, asked)),
  route(contract.readHeartbeatStatus, ({ caller }) => readHeartbeatStatus(deps, caller.userId)),
];
