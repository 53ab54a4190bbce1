import {
  campaignMailQuery,
  devicesQuery,
  machineTimelineQuery,
  nodePassQuery,
  securityActivityQuery,
  sessionsQuery,
  silenceMailQuery,
  smartIdRequirementsQuery,
  walletChangeEligibilityQuery,
} from "../api/queries.ts";
import type { Read, ReadName } from "../api/reads.ts";
import { activityQuery, type ProfileView } from "./profile-view.ts";

/** What the profile shows beyond what its shell has read. */
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

/** What a form of the profile may change. */
export const CHANGED: ReadName[] = [
  "user",
  "sessions",
  "security-activity",
  "campaign-mail",
  "devices",
  "silence-mail",
];
