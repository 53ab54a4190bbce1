import type { Deps } from "../deps.ts";
import { route, type Route } from "../http/endpoint.ts";
import * as contract from "./contract.ts";
import { claim, readReferralCampaign, readReferrals, readReferralsCombined } from "./service.ts";

export const referralsApi = (deps: Deps): Route[] => [
  route(contract.readReferrals, ({ caller, query }) => readReferrals(deps, caller.userId, query)),
  route(contract.readReferralsCombined, ({ caller, query }) => readReferralsCombined(deps, caller.userId, query)),
  route(contract.readReferralCampaign, ({ caller }) => readReferralCampaign(deps, caller.userId)),
  route(contract.claimReferral, ({ caller, params }) => claim(deps, caller.userId, params)),
];
