import { asAdministrator, by } from "../administration/actor.ts";
import type { Deps } from "../deps.ts";
import { route, type Route } from "../http/endpoint.ts";
import { readWebhookKey, verifyMessage } from "../webhooks/signature.ts";
import { importCompletions } from "./completion-file.ts";
import { recordCompletions } from "./completions.ts";
import * as contract from "./contract.ts";
import { changeCampaign, createCampaign, endCampaign, readCampaigns } from "./service.ts";
import { readCampaign, readCampaignCompletions } from "./reads.ts";
import { receiveCompletions } from "./webhook.ts";

export const campaignsApi = (deps: Deps): Route[] => [
  route(contract.readCampaigns, ({ caller, query }) => readCampaigns(deps, asAdministrator(caller), query)),
  route(contract.readCampaign, ({ caller, params }) => readCampaign(deps, asAdministrator(caller), params)),
  route(contract.readCampaignCompletions, ({ caller, params, query }) =>
    readCampaignCompletions(deps, asAdministrator(caller), { ...params, ...query }),
  ),
  route(contract.createCampaign, ({ body: { reason, ...campaign }, caller }) =>
    createCampaign(deps, by(caller, reason), campaign),
  ),
  route(contract.changeCampaign, ({ body: { reason, ...change }, caller, params }) =>
    changeCampaign(deps, by(caller, reason), { id: params.id, change }),
  ),
  route(contract.endCampaign, ({ body, caller, params }) => endCampaign(deps, by(caller, body.reason), params)),
  route(contract.recordCompletions, ({ body: { reason, ...completions }, caller }) =>
    recordCompletions(deps, by(caller, reason), completions),
  ),
  route(contract.importCompletions, ({ body: { reason, ...file }, caller }) =>
    importCompletions(deps, by(caller, reason), file),
  ),
  ...webhookApi(deps),
];

/** Returns the webhook's route, or none without a secret. */
function webhookApi(deps: Deps): Route[] {
  const keys = (deps.env.campaignWebhookSecrets ?? []).flatMap((secret) => readWebhookKey(secret) ?? []);
  if (keys.length === 0) return [];
  return [
    route(contract.receiveCompletions, (message) => receiveCompletions(deps, message), {
      verify: (message) => verifyMessage(keys, message, deps.now()),
    }),
  ];
}
