import { defineRead, type Read } from "../cache/read.ts";
import { machineTimelineQuery, smartIdRequirementsQuery } from "../machine-id/reads.ts";
import { nodePassQuery } from "../node-pass/reads.ts";
import { devicesQuery } from "../start-node/reads.ts";
import { walletChangeEligibilityQuery } from "../wallet/reads.ts";
import { activityQuery, type ProfileView } from "./profile-view.ts";

export const sessionsQuery = defineRead("sessions", {
  source: (api) => api.sessions.list(),
  staleAfter: ["account", "TOKEN_REFRESHED"],
});

export const securityActivityQuery = defineRead("security-activity", {
  params: ["page", "limit"],
  source: (api, query: { page: number; limit: number }) => api.sessions.activity(query),
  staleAfter: ["account", "wallet"],
});

export const campaignMailQuery = defineRead("campaign-mail", {
  source: (api) => api.campaignMail.read(),
  staleAfter: ["account"],
});

export const silenceMailQuery = defineRead("silence-mail", {
  source: (api) => api.node.silenceMail(),
  staleAfter: ["account"],
});

/** Reads that the profile shows in addition to those of its shell. */
export const profileReads = (read: Read, view: ProfileView) => [
  sessionsQuery(read),
  securityActivityQuery(read, activityQuery(view)),
  campaignMailQuery(read),
  devicesQuery(read),
  silenceMailQuery(read),
  walletChangeEligibilityQuery(read),
  nodePassQuery(read),
  smartIdRequirementsQuery(read),
  machineTimelineQuery(read),
];
