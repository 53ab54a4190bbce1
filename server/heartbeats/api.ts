import type { Deps } from "../deps.ts";
import { route, type Route } from "../http/endpoint.ts";
import { LIMITS } from "../rate-limits/rules.ts";
import * as contract from "./contract.ts";
import { admitBeats, createHeartbeatRecorder } from "./recording.ts";
import { readRefusedBeats } from "./refused-beats.ts";
import { readDevices, readHeartbeatStatus, registerDevice, revokeDevice } from "./service.ts";
import { readUptime } from "./uptime.ts";

export function heartbeatsApi(deps: Deps): Route[] {
  const recordHeartbeats = createHeartbeatRecorder(deps);
  return [
    route(contract.sendHeartbeats, ({ body, caller }) => recordHeartbeats(caller, body), {
      admit: ({ bodySize, caller }) => admitBeats(deps, caller, bodySize),
    }),
    route(contract.registerDevice, ({ body, ...asked }) => registerDevice(deps, body, asked), {
      admit: ({ caller }) => deps.limits.take(LIMITS.deviceKeyByAccount, caller.userId),
    }),
    route(contract.readDevices, ({ caller }) => readDevices(deps, caller.userId)),
    route(contract.revokeDevice, ({ params, ...asked }) => revokeDevice(deps, params, asked)),
    route(contract.readHeartbeatStatus, ({ caller }) => readHeartbeatStatus(deps, caller.userId)),
    route(contract.readUptime, ({ caller, query }) => readUptime(deps, caller.userId, query)),
    route(contract.readRefusedBeats, ({ caller, query }) => readRefusedBeats(deps, caller.userId, query)),
  ];
}
