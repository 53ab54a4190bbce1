import { asAdministrator, by } from "../administration/actor.ts";
import type { Deps } from "../deps.ts";
import { route, type Route } from "../http/endpoint.ts";
import type { Board } from "./board.ts";
import * as contract from "./contract.ts";
import { openIncident, readIncidents, resolveIncident, updateIncident } from "./incidents.ts";

/** Needs nothing from the database. */
export const statusApi = ({ status }: { status: Board }): Route[] => [
  route(contract.readStatus, async () => status.report()),
];

export const incidentsApi = (deps: Deps): Route[] => [
  route(contract.readIncidents, ({ caller }) => readIncidents(deps, asAdministrator(caller))),
  route(contract.openIncident, ({ body: { reason, ...incident }, caller }) =>
    openIncident(deps, by(caller, reason), incident),
  ),
  route(contract.updateIncident, ({ body: { reason, ...update }, caller, params }) =>
    updateIncident(deps, by(caller, reason), { ...params, ...update }),
  ),
  route(contract.resolveIncident, ({ body: { reason, text }, caller, params }) =>
    resolveIncident(deps, by(caller, reason), { ...params, text }),
  ),
];
