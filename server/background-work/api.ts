import { asAdministrator, by } from "../administration/actor.ts";
import type { Deps } from "../deps.ts";
import { route, type Route } from "../http/endpoint.ts";
import { readChainJob, readChainJobs, retryChainJob } from "./chain-jobs.ts";
import * as contract from "./contract.ts";
import { readBackgroundJobs, removeEmail, retryJob, retryEmails } from "./queue.ts";

export const backgroundWorkApi = (deps: Deps): Route[] => [
  route(contract.readBackgroundJobs, ({ caller, query }) => readBackgroundJobs(deps, asAdministrator(caller), query)),
  route(contract.retryBackgroundJob, ({ body: { reason, ...name }, caller }) =>
    retryJob(deps, by(caller, reason), name),
  ),
  route(contract.retryEmails, ({ body, caller }) => retryEmails(deps, by(caller, body.reason))),
  route(contract.removeEmail, ({ body: { reason, key }, caller }) => removeEmail(deps, by(caller, reason), { key })),
  route(contract.readChainJobs, ({ caller, query }) => readChainJobs(deps, asAdministrator(caller), query)),
  route(contract.readChainJob, ({ caller, params }) => readChainJob(deps, asAdministrator(caller), params)),
  route(contract.retryChainJob, ({ body, caller, params }) => retryChainJob(deps, by(caller, body.reason), params)),
];
