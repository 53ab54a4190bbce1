import type { Deps } from "../deps.ts";
import { route, type Route } from "../http/endpoint.ts";
import { asAdministrator, by } from "./actor.ts";
import { readAudit } from "./audit.ts";
import * as contract from "./contract.ts";
import { addAdministrator, readAdministrators, removeAdministrator } from "./service.ts";

export const administrationApi = (deps: Deps): Route[] => [
  route(contract.readAdministrators, async ({ caller }) => ({
    administrators: await readAdministrators(deps, asAdministrator(caller)),
  })),
  route(contract.readAudit, ({ caller, query }) => readAudit(deps, asAdministrator(caller), query)),
  route(contract.addAdministrator, ({ body: { reason, ...named }, caller }) =>
    addAdministrator(deps, by(caller, reason), named),
  ),
  route(contract.removeAdministrator, ({ body: { reason, ...named }, caller }) =>
    removeAdministrator(deps, by(caller, reason), named),
  ),
];
