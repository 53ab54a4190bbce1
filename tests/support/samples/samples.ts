import {
  readContentPointsHistory,
  readDailyJobs,
  readDataStats,
  readNetworkJobs,
} from "../../../server/agent-insights/contract.ts";
import {
  changePassword,
  forgotPassword,
  issueBotCheck,
  login,
  openRecovery,
  resendPasswordReset,
  resendVerification,
  resetPassword,
  signUp,
  verify,
} from "../../../server/auth/contract.ts";
import { logout } from "../../../server/sessions/contract.ts";
import { readDevices, readHeartbeatStatus, readRefusedBeats, readUptime } from "../../../server/heartbeats/contract.ts";
import {
  acceptPrivacy,
  acceptTerms,
  readLegalDocument,
  readPrivacyStatus,
  readTermsStatus,
} from "../../../server/legal/contract.ts";
import { readNodePass } from "../../../server/node-pass/contract.ts";
import { onboard, readOnboarded, readWhitelisted } from "../../../server/onboarding/contract.ts";
import { readStats } from "../../../server/points/contract.ts";
import { readUser } from "../../../server/profile/contract.ts";
import { readReferrals } from "../../../server/referrals/contract.ts";
import { claimReward, readSubmissions } from "../../../server/rewards/contract.ts";
import { readSilenceMail, setSilenceMail, unsubscribeSilenceMail } from "../../../server/silence-mail/contract.ts";
import {
  changeWallet,
  detectWallet,
  linkWallet,
  readWalletChangeEligibility,
  readWalletMessage,
} from "../../../server/wallet/contract.ts";
import { ACCOUNT_SAMPLES } from "./account-samples.ts";
import { POINTS_SAMPLES } from "./points-samples.ts";
import { MACHINE_SAMPLES } from "./machine-samples.ts";
import { RESEND_SAMPLE as resend, sample } from "./sample.ts";
import { NODE_PASS_SAMPLE } from "./node-pass-sample.ts";

export const SAMPLE_USER = {
  id: "0192-user",
  email: "ana@example.org",
  avatar_url: null,
  campaign_email: null,
  discord_userid: null,
  discord_username: null,
  full_name: "Ana",
  invited_by: null,
  personal_code: "K7QX2",
  telegram_handle: null,
  updated_at: null,
  username: "ana",
  wallet: "0x7aF3c1d2E4b5968778695a4b3c2d1e0f9a8b91bE",
  website: null,
  x_handle: null,
  total_points_done: true,
};

const done = { success: true, message: "Done" };

const jobs = [{ date: "2026-11-20", jobs: 2, points: 5, resultSize: 2048, profiles: 1, comments: 0, posts: 4 }];

/** A backend's answers, one for each call in the product specification's table. */
export const SAMPLES = [
  sample(login, { access_token: "token-1", user: SAMPLE_USER }),
  sample(logout, done),
  sample(issueBotCheck, { turnstileToken: "bot-check-1" }),
  sample(readUser, SAMPLE_USER),
  sample(readStats, {
    user_id: SAMPLE_USER.id,
    heartbeats: 62,
    heartbeats_genesis_snapshot: 0,
    points_today: 25.5,
    points_total: 48213.5,
    total_referrals: 17,
    total_referral_points: 12000,
    total_includes_all_points: true,
    points_breakdown: [{ category: "connectivity", color: "teal", percentage: 100, value: 48213.5 }],
  }),
  sample(readWhitelisted, { isWhitelisted: true }),
  sample(readOnboarded, { success: true }),
  sample(onboard, { alreadyExists: false }),
  sample(readTermsStatus, { istosAccepted: true }),
  sample(acceptTerms, done),
  sample(readPrivacyStatus, { isppAccepted: true }),
  sample(acceptPrivacy, done),
  sample(readLegalDocument, {
    title: "Terms of Service",
    version: 1,
    effectiveFrom: "2026-07-01",
    standing: "current",
    changes: null,
    sections: [{ id: "about", title: "About", text: ["A paragraph", ["A point"]] }],
    sha256: "0".repeat(64),
    versions: [{ version: 1, effectiveFrom: "2026-07-01", standing: "current" }],
  }),
  ...POINTS_SAMPLES,
  sample(readContentPointsHistory, {
    data: [{ kind: "post", title: "A post", points: 2, timestamp: "2026-11-20T14:15:00.000Z" }],
    total: 1,
  }),
  sample(readDataStats, {
    total_jobs: 1,
    total_jobs_points: 2,
    profiles_amount: 3,
    comments_amount: 4,
    posts_amount: 5,
    result_size: 6,
  }),
  sample(readDailyJobs, { data: jobs }),
  sample(readNetworkJobs, { data: jobs }),
  sample(signUp, { signupToken: "nbu_1", resend }),
  sample(verify, { accessToken: "t", user: SAMPLE_USER }),
  sample(resendVerification, { resend }),
  sample(forgotPassword, { resetToken: "nbr_1", resend }),
  sample(resendPasswordReset, { resend }),
  sample(openRecovery, { recoveryToken: "nbc_1", email: "ada@nodebeat.test" }),
  sample(resetPassword, done),
  sample(changePassword, done),
  ...ACCOUNT_SAMPLES,
  sample(readReferrals, {
    success: true,
    referrals: [
      {
        id: "0192-referral",
        invitedPoints: 1000,
        inviteeEmail: "ben@example.org",
        inviteeHeartbeats: 40,
        inviteeUsername: "ben",
        walletConnected: false,
        invitedAt: "2026-11-18T08:00:00.000Z",
        status: "Pending",
        canClaim: false,
      },
    ],
    stats: { totalReferralPoints: 0, successfulReferralsAmount: 0, pendingReferralsAmount: 1 },
    pagination: { limit: 10, page: 1, total: 1, totalPages: 1 },
  }),
  sample(linkWallet, done),
  sample(readWalletChangeEligibility, { eligible: true }),
  sample(changeWallet, { message: "Changed" }),
  sample(detectWallet, { address: SAMPLE_USER.wallet, linked: true, contract: false }),
  sample(readWalletMessage, { nonce: "nonce1234", message: "A message", expiresAt: "2026-11-20T14:20:00.000Z" }),
  sample(readSubmissions, [
    {
      completed: false,
      campaignName: "Follow us",
      campaignId: "follow",
      type: "social",
      formUrl: "https://forms.example/follow",
      bonusPoints: 250,
      mandatory: false,
      buttonText: "Open",
      taskNumber: 1,
      claimable: false,
    },
  ]),
  sample(readHeartbeatStatus, {
    currentHeartbeats: 62,
    requiredHeartbeats: 100,
    completed: false,
    claimed: false,
    claimable: false,
    bonusPoints: 500,
    lastHeartbeatAt: "2026-11-20T14:15:00.000Z",
  }),
  sample(claimReward, done),
  sample(readDevices, {
    devices: [{ id: "0192-device", name: "attic", createdAt: "2026-11-19T08:00:00.000Z", lastBeatAt: null }],
  }),
  sample(readUptime, {
    range: "last24hours",
    from: "2026-11-20T14:00:00.000Z",
    to: "2026-11-20T14:30:00.000Z",
    slotSeconds: 900,
    slots: ["beat", "pending"],
    percent: 100,
    longestGap: null,
    lastBeat: { at: "2026-11-20T14:12:00.000Z", device: "attic" },
  }),
  sample(readRefusedBeats, {
    total: 1,
    refused: [
      {
        claimedAt: "2026-11-20T18:00:00.000Z",
        receivedAt: "2026-11-20T14:15:00.000Z",
        reason: "too_early",
        message: "This is more than 60 seconds in the future.",
        device: null,
      },
    ],
  }),
  sample(readSilenceMail, { afterHours: null, tellsReturn: false }),
  sample(setSilenceMail, done),
  sample(unsubscribeSilenceMail, done),
  ...MACHINE_SAMPLES,
  sample(readNodePass, NODE_PASS_SAMPLE),
];
