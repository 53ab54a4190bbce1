import type { Deps } from "../deps.ts";
import { route, type Caller, type Route } from "../http/endpoint.ts";
import { LIMITS } from "../rate-limits/rules.ts";
import * as contract from "./contract.ts";
import { readIdentity, readStatus, requestMachineId, takeSignature } from "./machine-identity.ts";
import { readRequirements } from "./service.ts";
import { createSmartAccount, readConsent, readDeployment, readSmartAccount } from "./smart-account.ts";
import { readTimeline } from "./timeline.ts";

export function machineIdApi(deps: Deps): Route[] {
  const limited = {
    admit: ({ caller }: { caller: Caller }) => deps.limits.take(LIMITS.machineIdByAccount, caller.userId),
  };
  return [
    route(contract.readSmartIdRequirements, ({ caller }) => readRequirements(deps, caller.userId)),
    route(contract.readSmartAccount, ({ caller }) => readSmartAccount(deps, caller.userId)),
    route(contract.readSmartAccountConsent, ({ caller }) => readConsent(deps, caller.userId), limited),
    route(contract.readSmartAccountDeployment, ({ caller }) => readDeployment(deps, caller.userId)),
    route(contract.createSmartAccount, ({ body, caller }) => createSmartAccount(deps, caller.userId, body), limited),
    route(contract.readMachineIdStatus, ({ caller }) => readStatus(deps, caller.userId)),
    route(contract.requestMachineId, ({ caller }) => requestMachineId(deps, caller.userId), limited),
    route(contract.updateMachineIdSignature, ({ body, caller }) => takeSignature(deps, caller.userId, body), limited),
    route(contract.readMachineIdentity, ({ caller }) => readIdentity(deps, caller.userId)),
    route(contract.readMachineTimeline, ({ caller }) => readTimeline(deps, caller.userId)),
  ];
}
