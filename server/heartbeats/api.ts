import type { Deps } from "../deps.ts";
import { route, type Route } from "../http/endpoint.ts";
import * as contract from "./contract.ts";
import { readRefusedBeats } from "./refused-beats.ts";
import { readDevices, readHeartbeatStatus, recordHeartbeats, registerDevice, revokeDevice } from "./service.ts";
import { readUptime } from "./uptime.ts";

export const heartbeatsApi = (deps: Deps): Route[] => [
  route(contract.sendHeartbeats, ({ body, caller }) => recordHeartbeats(deps, caller, body)),
  route(contract.registerDevice, ({ body, ...asked }) => registerDevice(deps, body, asked)),
  route(contract.readDevices, ({ caller }) => readDevices(deps, caller.userId)),
  route(contract.revokeDevice, ({ params, ...asked }) => revokeDevice(deps, params, asked)),
  route(contract.readHeartbeatStatus, ({ caller }) => readHeartbeatStatus(deps, caller.userId)),
  route(contract.readUptime, ({ caller, query }) => readUptime(deps, caller.userId, query)),
  route(contract.readRefusedBeats, ({ caller, query }) => readRefusedBeats(deps, caller.userId, query)),
];
