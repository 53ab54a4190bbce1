import type { Deps } from "../deps.ts";
import { route, type Route } from "../http/endpoint.ts";
import * as contract from "./contract.ts";
import { readHeartbeatStatus, recordHeartbeats, registerDevice } from "./service.ts";

export const heartbeatsApi = (deps: Deps): Route[] => [
  route(contract.sendHeartbeats, ({ body, caller }) => recordHeartbeats(deps, caller, body)),
  route(contract.registerDevice, ({ body, caller }) => registerDevice(deps, caller.userId, body)),
  route(contract.readHeartbeatStatus, ({ caller }) => readHeartbeatStatus(deps, caller.userId)),
];
