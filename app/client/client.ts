import type * as z from "zod";
import {
  readContentPointsHistory,
  readDailyJobs,
  readDataStats,
  readNetworkJobs,
} from "../../server/agent-insights/contract.ts";
import { readDevices, readHeartbeatStatus, registerDevice, revokeDevice } from "../../server/heartbeats/contract.ts";
import {
  acceptPrivacy,
  acceptTerms,
  readLegalDocument,
  readPrivacyStatus,
  readTermsStatus,
  type LegalDocumentName,
} from "../../server/legal/contract.ts";
import { onboard, readOnboarded, readWhitelisted } from "../../server/onboarding/contract.ts";
import {
  PointsRules,
  exportPointsLog,
  readPointsHistory,
  readPointsLog,
  readPointsLogDetail,
  readPointsRules,
  readStats,
  type PointsRange,
} from "../../server/points/contract.ts";
import { readUser, updateProfile, type ProfileInput } from "../../server/profile/contract.ts";
import { claimReferral, readReferrals } from "../../server/referrals/contract.ts";
import { claimReward, readSubmissions } from "../../server/rewards/contract.ts";
import { ApiError } from "../api/api-error.ts";
import { createAccountClient } from "./account.ts";
import { createAuthClient } from "./auth.ts";
import { createCampaignMailClient } from "./campaign-mail.ts";
import { createCaller, createSender, type Caller, type CallerOptions } from "../api/call.ts";
import { createEventsClient } from "./events.ts";
import { createMachineIdClient } from "./machine-id.ts";
import { createNodeClient } from "./node.ts";
import { createNodePassClient } from "./node-pass.ts";
import { createSessionsClient } from "./sessions.ts";
import { createWalletClient } from "./wallet.ts";
import { WRITE_RETRIES } from "./write-retries.ts";

export type ApiClient = ReturnType<typeof createApiClient>;

/**
 * The API by noun, as the product specification's section 7 lists it. One client serves one request:
 * it carries the member's access token. Every call rejects with an ApiError, nothing else.
 */
export function createApiClient(options: CallerOptions) {
  const call = createCaller(options);
  const send = createSender(options);
  return {
    auth: createAuthClient(call),
    users: createUsersClient(call),
    sessions: createSessionsClient(call),
    account: createAccountClient(call, send),
    campaignMail: createCampaignMailClient(call),
    legal: createLegalClient(call),
    points: {
      rules: () => readRules(call),
      history: (range: PointsRange) => call(readPointsHistory, { query: { range } }),
      log: (query: z.output<typeof readPointsLog.query>) => call(readPointsLog, { query }),
      detail: (id: string) => call(readPointsLogDetail, { params: { id } }),
      /** The file as it comes: whoever reads it may take as long as they like. */
      exportLog: (query: z.input<typeof exportPointsLog.query>) => send(exportPointsLog, { query }),
      content: (query: z.output<typeof readContentPointsHistory.query>) => call(readContentPointsHistory, { query }),
    },
    devices: {
      list: () => call(readDevices, {}),
      register: (name: string) => call(registerDevice, { body: { name } }),
      revoke: (id: string) => call(revokeDevice, { params: { id } }),
    },
    node: createNodeClient(call),
    insights: {
      daily: (days: number) => call(readDailyJobs, { query: { days } }),
      network: (days: number) => call(readNetworkJobs, { query: { days } }),
    },
    referrals: {
      page: (query: z.output<typeof readReferrals.query>) => call(readReferrals, { query }),
      claim: (id: string) => call(claimReferral, { params: { id } }, { retries: WRITE_RETRIES.claim }),
    },
    rewards: {
      submissions: () => call(readSubmissions, {}),
      heartbeatStatus: () => call(readHeartbeatStatus, {}),
      claim: (id: string) => call(claimReward, { params: { id } }, { retries: WRITE_RETRIES.claim }),
    },
    wallet: createWalletClient(call),
    machineId: createMachineIdClient(call),
    nodePass: createNodePassClient(call),
    events: createEventsClient(send),
  };
}

function createUsersClient(call: Caller) {
  return {
    me: () => call(readUser, {}),
    update: (profile: ProfileInput) => call(updateProfile, { body: profile }, { retries: WRITE_RETRIES.default }),
    stats: () => call(readStats, {}),
    isWhitelisted: () => call(readWhitelisted, {}),
    isOnboarded: () => call(readOnboarded, {}),
    onboard: (userId: string) => call(onboard, { body: { userId } }, { retries: WRITE_RETRIES.onboard }),
    dataStats: () => call(readDataStats, {}),
  };
}

function createLegalClient(call: Caller) {
  return {
    /** A version of a document: the one that holds now, unless given. */
    document: (query: { document: LegalDocumentName; version?: number }) => call(readLegalDocument, { query }),
    /** A response that fails to parse counts as not accepted. */
    termsStatus: () => call(readTermsStatus, {}, { onMismatch: { istosAccepted: false } }),
    /** The version that was shown, where that is known. */
    acceptTerms: (version?: number) =>
      call(
        acceptTerms,
        { query: { version } },
        {
          onMismatch: { success: false, message: "Failed to parse response" },
          retries: WRITE_RETRIES.acceptTerms,
        },
      ),
    privacyStatus: () => call(readPrivacyStatus, {}),
    acceptPrivacy: (version?: number) =>
      call(acceptPrivacy, { query: { version } }, { retries: WRITE_RETRIES.default }),
  };
}

/** Null where the backend has no such call, or answers something else. */
async function readRules(call: Caller): Promise<PointsRules | null> {
  try {
    return PointsRules.safeParse(await call(readPointsRules, {})).data ?? null;
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return null;
    throw error;
  }
}
