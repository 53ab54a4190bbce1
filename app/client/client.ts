import { readDailyJobs, readDataStats, readNetworkJobs } from "../../server/agent-insights/contract.ts";
import { readDevices, registerDevice, revokeDevice } from "../../server/heartbeats/contract.ts";
import { onboard, readOnboarded, readWhitelisted } from "../../server/onboarding/contract.ts";
import { readStats } from "../../server/points/contract.ts";
import { updateProfile, type ProfileInput } from "../../server/profile/contract.ts";
import { createAdministrationClient } from "./administration.ts";
import { createAccountClient } from "./account.ts";
import { createAuthClient } from "./auth.ts";
import { createCampaignMailClient } from "./campaign-mail.ts";
import {
  createCaller,
  createOptionalCaller,
  createSender,
  requireOffered,
  type Caller,
  type CallerOptions,
  type OptionalCaller,
} from "../api/call.ts";
import { createMissingCalls, type MissingCalls } from "../api/missing-calls.ts";
import { createEmailChangeClient } from "./email-change.ts";
import { createEventsClient } from "./events.ts";
import { createLegalClient } from "./legal.ts";
import { createMachineIdClient } from "./machine-id.ts";
import { readMember } from "./member.ts";
import { createNodeClient } from "./node.ts";
import { createNodePassClient } from "./node-pass.ts";
import { createPointsClient } from "./points.ts";
import { createReferralsClient } from "./referrals.ts";
import { createRewardsClient } from "./rewards.ts";
import { createSessionsClient } from "./sessions.ts";
import type { IdentityContracts } from "./typed-data.ts";
import { createWalletClient } from "./wallet.ts";
import { WRITE_RETRIES } from "./write-retries.ts";

export type ApiClient = ReturnType<typeof createApiClient>;

/** What this installation itself knows, for whatever a backend does not provide. */
type Installation = {
  /** The address at which the product is reached. */
  origin: string;
  /** The site key of Turnstile. */
  siteKey?: string | undefined;
  contracts: IdentityContracts;
};

type ClientOptions = CallerOptions & {
  installation: Installation;
  /** The calls that the backend turned out not to have, kept from one request to the next. */
  missing?: MissingCalls;
};

/**
 * Creates the API client. It groups the calls by noun, as section 7 of the product specification lists them. A client
 * serves one request, because it carries the member's access token. Every call rejects with an ApiError, nothing else.
 */
export function createApiClient({ installation, missing = createMissingCalls(), ...options }: ClientOptions) {
  const { main, own = main } = options;
  const call = createCaller(options);
  const callIfOffered = createOptionalCaller(call, missing);
  const send = createSender(options);
  return {
    auth: createAuthClient(call, callIfOffered, installation.siteKey),
    users: createUsersClient(call, callIfOffered),
    sessions: createSessionsClient(call, callIfOffered),
    account: createAccountClient(call, callIfOffered, send),
    administration: createAdministrationClient(call, callIfOffered),
    campaignMail: createCampaignMailClient(call, callIfOffered),
    emailChange: createEmailChangeClient(callIfOffered),
    legal: createLegalClient(call, callIfOffered, createCaller({ ...options, main: own, auth: own })),
    points: createPointsClient(call, callIfOffered, send),
    devices: {
      /** Null if the backend keeps none. */
      list: () => callIfOffered(readDevices, {}),
      register: (name: string) => requireOffered(callIfOffered(registerDevice, { body: { name } })),
      revoke: (id: string) => call(revokeDevice, { params: { id } }, { retries: WRITE_RETRIES.default }),
    },
    node: createNodeClient(call, callIfOffered),
    /** Null if the backend does not provide them. */
    insights: {
      daily: (days: number) => callIfOffered(readDailyJobs, { query: { days } }),
      network: (days: number) => callIfOffered(readNetworkJobs, { query: { days } }),
    },
    referrals: createReferralsClient(call),
    rewards: createRewardsClient(call),
    wallet: createWalletClient(call, callIfOffered, installation.origin),
    machineId: createMachineIdClient(call, callIfOffered, installation.contracts),
    nodePass: createNodePassClient(callIfOffered),
    events: createEventsClient(send, missing, main.read !== undefined),
  };
}

function createUsersClient(call: Caller, callIfOffered: OptionalCaller) {
  return {
    me: () => readMember(call),
    update: (profile: ProfileInput) =>
      requireOffered(
        callIfOffered(updateProfile, { body: profile }, { retries: WRITE_RETRIES.default, mayBeBlank: true }),
      ),
    stats: () => call(readStats, {}, { wrappedIn: "stats" }),
    isWhitelisted: () => call(readWhitelisted, {}),
    isOnboarded: () => call(readOnboarded, {}),
    onboard: (userId: string) =>
      call(onboard, { body: { userId } }, { retries: WRITE_RETRIES.onboard, findOutcome: () => findOnboarded(call) }),
    dataStats: () => call(readDataStats, {}),
  };
}

/** Returns the outcome if the member is onboarded by now, or null. */
async function findOnboarded(call: Caller) {
  const { success } = await call(readOnboarded, {});
  return success ? { alreadyExists: true } : null;
}
