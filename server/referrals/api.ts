import { asAdministrator, by } from "../administration/actor.ts";
import type { Deps } from "../deps.ts";
import { route, type Route } from "../http/endpoint.ts";
import * as contract from "./contract.ts";
import { readHeldDetail, readHeldPage, refuseHeld, releaseHeld } from "./review.ts";
import { claim, readReferralCampaign, readReferrals, readReferralsCombined } from "./service.ts";

export const referralsApi = (deps: Deps): Route[] => [
  route(contract.readReferrals, ({ caller, query }) => readReferrals(deps, caller.userId, query)),
  route(contract.readReferralsCombined, ({ caller, query }) => readReferralsCombined(deps, caller.userId, query)),
  route(contract.readReferralCampaign, ({ caller }) => readReferralCampaign(deps, caller.userId)),
  route(contract.claimReferral, ({ caller, params }) => claim(deps, caller.userId, params)),
  ...reviewApi(deps),
];

/** The administrators' routes for held invitations. */
const reviewApi = (deps: Deps): Route[] => [
  route(contract.readHeldReferrals, ({ caller, query }) => readHeldPage(deps, asAdministrator(caller), query)),
  route(contract.readHeldReferral, ({ caller, params }) => readHeldDetail(deps, asAdministrator(caller), params)),
  route(contract.releaseHeldReferral, async ({ body, caller, params }) => {
    await releaseHeld(deps, by(caller, body.reason), params);
    return { success: true, message: "Released: the friend has the points." };
  }),
  route(contract.refuseHeldReferral, async ({ body, caller, params }) => {
    await refuseHeld(deps, by(caller, body.reason), params);
    return { success: true, message: "Refused: nobody is paid." };
  }),
];
