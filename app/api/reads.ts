import type { ContentPointsHistory, DataStats, JobsStats } from "../../server/agent-insights/contract.ts";
import type { CampaignMail } from "../../server/campaign-mail/contract.ts";
import type { Devices, HeartbeatStatus, RefusedBeats, Uptime, UptimeRange } from "../../server/heartbeats/contract.ts";
import type { PrivacyStatus, TermsStatus } from "../../server/legal/contract.ts";
import type {
  MachineIdentity,
  MachineIdStatus,
  MachineTimeline,
  SmartAccountStatus,
  SmartIdRequirements,
} from "../../server/machine-id/contract.ts";
import type { NodePass } from "../../server/node-pass/contract.ts";
import type { OnboardedResult, WhitelistResult } from "../../server/onboarding/contract.ts";
import type {
  PointsCategory,
  PointsHistory,
  PointsLog,
  PointsLogDetail,
  PointsRange,
  PointsRules,
  UserStats,
} from "../../server/points/contract.ts";
import type { User } from "../../server/profile/contract.ts";
import type { Referrals, ReferralStatus } from "../../server/referrals/contract.ts";
import type { CampaignSubmission } from "../../server/rewards/contract.ts";
import type { SecurityActivity } from "../../server/security-activity/contract.ts";
import type { Sessions } from "../../server/sessions/contract.ts";
import type { SilenceMail } from "../../server/silence-mail/contract.ts";
import type {
  DetectedWallet,
  WalletChangeEligibility,
  WalletMessage,
  WalletMessageQuery,
} from "../../server/wallet/contract.ts";

export type PageQuery = { page: number; limit: number };
export type PointsHistoryQuery = { range: PointsRange };
/** Dates are calendar days (UTC), such as 2026-11-20. */
export type PointsLogFilter = { category?: PointsCategory; startDate?: string; endDate?: string };
export type PointsLogQuery = PageQuery & PointsLogFilter;

/** As many days back, today included. */
export type DaysQuery = { days: number };
export type ReferralsQuery = PageQuery & { status?: ReferralStatus };

export type UptimeQuery = { range: UptimeRange };
export type RefusedBeatsQuery = { limit: number };

type ReadOf<Result, Query = Record<string, never>> = { query: Query; result: Result };

/** What a page or the browser may read, by name. The names are also the addresses of the read proxy. */
export type Reads = {
  user: ReadOf<User>;
  stats: ReadOf<UserStats>;
  /** Null where the backend does not tell them. */
  rules: ReadOf<PointsRules | null>;
  whitelist: ReadOf<WhitelistResult>;
  onboarded: ReadOf<OnboardedResult>;
  terms: ReadOf<TermsStatus>;
  privacy: ReadOf<PrivacyStatus>;
  "points-history": ReadOf<PointsHistory, PointsHistoryQuery>;
  "points-log": ReadOf<PointsLog, PointsLogQuery>;
  "points-log-detail": ReadOf<PointsLogDetail, { id: string }>;
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
  uptime: ReadOf<Uptime, UptimeQuery>;
  "refused-beats": ReadOf<RefusedBeats, RefusedBeatsQuery>;
  "silence-mail": ReadOf<SilenceMail>;
  "wallet-change-eligibility": ReadOf<WalletChangeEligibility>;
  "wallet-detect": ReadOf<DetectedWallet, { address: string }>;
  "wallet-message": ReadOf<WalletMessage, WalletMessageQuery>;
  "smart-id-requirements": ReadOf<SmartIdRequirements>;
  "smart-account": ReadOf<SmartAccountStatus>;
  "machine-id-status": ReadOf<MachineIdStatus>;
  "machine-identity": ReadOf<MachineIdentity>;
  "machine-timeline": ReadOf<MachineTimeline>;
  "node-pass": ReadOf<NodePass>;
};

export type ReadName = keyof Reads;

/** Reads one thing for the signed-in member: through the client on the server, through the read proxy in the browser. */
export type Read = <Name extends ReadName>(
  name: Name,
  query: Reads[Name]["query"],
  signal?: AbortSignal,
) => Promise<Reads[Name]["result"]>;
