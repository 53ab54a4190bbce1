import type { Deps } from "../deps.ts";
import { route, type Route } from "../http/endpoint.ts";
import * as contract from "./contract.ts";
import { readCampaignMail, sendCampaignEmail, setCampaignMail, unsubscribe, verifyCampaignEmail } from "./service.ts";

export const campaignMailApi = (deps: Deps): Route[] => [
  route(contract.readCampaignMail, ({ caller }) => readCampaignMail(deps, caller.userId)),
  route(contract.sendCampaignEmail, ({ body, ...asked }) => sendCampaignEmail(deps, body, asked)),
  route(contract.verifyCampaignEmail, ({ body, ...asked }) => verifyCampaignEmail(deps, body, asked)),
  route(contract.setCampaignMail, ({ body, caller }) => setCampaignMail(deps, body, caller)),
  route(contract.unsubscribeCampaignMail, ({ body }) => unsubscribe(deps, body)),
];
