import type { ContentPointsHistory, DataStats, JobsStats } from "../../server/agent-insights/contract.ts";
import type { CampaignMail } from "../../server/campaign-mail/contract.ts";
import type { Devices, HeartbeatStatus } from "../../server/heartbeats/contract.ts";
import type { PrivacyStatus, TermsStatus } from "../../server/legal/contract.ts";
import type {
  MachineIdentity,
  MachineIdStatus,
  MachineTimeline,
  SmartAccountConsent,
  SmartAccountStatus,
  SmartIdRequirements,
} from "../../server/machine-id/contract.ts";
import type { OnboardedResult, WhitelistResult } from "../../server/onboarding/contract.ts";
import type { PointsCategory, PointsHistory, PointsLog, PointsRange, UserStats } from "../../server/points/contract.ts";
import type { User } from "../../server/profile/contract.ts";
import type { Referrals, ReferralStatus } from "../../server/referrals/contract.ts";
import type { CampaignSubmission } from "../../server/rewards/contract.ts";
import type { SecurityActivity } from "../../server/security-activity/contract.ts";
import type { Sessions } from "../../server/sessions/contract.ts";
import type {
  DetectedWallet,
  WalletChangeEligibility,
  WalletMessage,
  WalletMessageQuery,
} from "../../server/wallet/contract.ts";

export type PageQuery = { page: number; limit: number };
export type PointsHistoryQuery = { range: PointsRange };
/** Dates are calendar days (UTC), such as 2026-11-20. */
export type PointsLogQuery = PageQuery & { category?: PointsCategory; startDate?: string; endDate?: string };

/** As many days back, today included. */
export type DaysQuery = { days: number };
export type ReferralsQuery = PageQuery & { status?: ReferralStatus };

type ReadOf<Result, Query = Record<string, never>> = { query: Query; result: Result };

/** What a page or the browser may read, by name. The names are also the addresses of the read proxy. */
export type Reads = {
  user: ReadOf<User>;
  stats: ReadOf<UserStats>;
  whitelist: ReadOf<WhitelistResult>;
  onboarded: ReadOf<OnboardedResult>;
  terms: ReadOf<TermsStatus>;
  privacy: ReadOf<PrivacyStatus>;
  "points-history": ReadOf<PointsHistory, PointsHistoryQuery>;
  "points-log": ReadOf<PointsLog, PointsLogQuery>;
  "content-points": ReadOf<ContentPointsHistory, PageQuery>;
  "campaign-mail": ReadOf<CampaignMail>;
  sessions: ReadOf<Sessions>;
  devices: ReadOf<Devices>;
  "security-activity": ReadOf<SecurityActivity, PageQuery>;
  "data-stats": ReadOf<DataStats>;
  "daily-jobs": ReadOf<JobsStats, DaysQuery>;
  "network-jobs": ReadOf<JobsStats, DaysQuery>;
  referrals: ReadOf<Referrals, ReferralsQuery>;
  submissions: ReadOf<CampaignSubmission[]>;
  "heartbeat-status": ReadOf<HeartbeatStatus>;
  "wallet-change-eligibility": ReadOf<WalletChangeEligibility>;
  "wallet-detect": ReadOf<DetectedWallet, { address: string }>;
  "wallet-message": ReadOf<WalletMessage, WalletMessageQuery>;
  "smart-id-requirements": ReadOf<SmartIdRequirements>;
  "smart-account": ReadOf<SmartAccountStatus>;
  "machine-id-status": ReadOf<MachineIdStatus>;
  "machine-identity": ReadOf<MachineIdentity>;
  "smart-account-consent": ReadOf<SmartAccountConsent>;
  "machine-timeline": ReadOf<MachineTimeline>;
};

export type ReadName = keyof Reads;

/** Reads one thing for the signed-in member: through the client on the server, through the read proxy in the browser. */
export type Read = <Name extends ReadName>(
  name: Name,
  query: Reads[Name]["query"],
  signal?: AbortSignal,
) => Promise<Reads[Name]["result"]>;
