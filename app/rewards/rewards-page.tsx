import { useSearchParams } from "react-router";
import type { HeartbeatStatus } from "../../server/heartbeats/contract.ts";
import type { UserStats } from "../../server/points/contract.ts";
import type { CampaignSubmission } from "../../server/rewards/contract.ts";
import { useRead } from "../cache/query-provider.tsx";
import { useQuery } from "../cache/use-query.ts";
import { CLAIM_NOTE, ClaimOutcome } from "../claims/claim-outcome.tsx";
import { DataCard } from "../ui/data-card.tsx";
import { formatChange, formatCount, formatNumber, formatShare } from "../ui/number/number.ts";
import { Stat, StatRow } from "../ui/number/stat.tsx";
import { CAMPAIGN_MAIL_NOTE, CampaignMailNote, CampaignMailQuestion } from "./campaign-mail-note.tsx";
import { CampaignsCard } from "./campaigns-card.tsx";
import { groupRewards } from "./group-rewards.ts";
import { HEARTBEAT_REWARD } from "../client/heartbeat-reward.ts";
import { HeartbeatRewardCard } from "./heartbeat-reward-card.tsx";
import { useNote } from "../outcome/notes.tsx";
import { statsQuery } from "../points/reads.ts";
import { heartbeatStatusQuery, submissionsQuery } from "./reads.ts";

type RewardsPageProps = {
  /** Why a claim was refused. */
  refusal: string | null;
};

/** Shows what members can earn besides heartbeats and friends, and their progress. */
export function RewardsPage({ refusal }: RewardsPageProps) {
  const claimed = useNote(CLAIM_NOTE)?.about;
  const mail = useNote(CAMPAIGN_MAIL_NOTE)?.word;
  const isLeaving = useSearchParams()[0].has("unsubscribe");
  const read = useRead();
  const { data: submissions } = useQuery(submissionsQuery(read));
  const { data: heartbeats } = useQuery(heartbeatStatusQuery(read));
  const { data: stats } = useQuery(statsQuery(read));
  return (
    <div className="grid gap-4.5">
      <CampaignMailNote outcome={mail ?? null} />
      {isLeaving && <CampaignMailQuestion />}
      <DataCard data={stats && submissions && { stats, submissions }} title="Your rewards at a glance">
        {(known) => <Figures {...known} heartbeats={heartbeats ?? null} />}
      </DataCard>
      <ClaimOutcome claimed={describeClaim(claimed, submissions, heartbeats)} refusal={refusal} />
      <div className="grid items-start gap-4.5 *:min-w-0 @4xl/page:grid-cols-[1.9fr_1fr]">
        <DataCard data={submissions} title="Rewards">
          {(known) => <CampaignsCard submissions={known} />}
        </DataCard>
        <DataCard data={heartbeats} title="Heartbeat reward">
          {(known) => <HeartbeatRewardCard status={known} />}
        </DataCard>
      </div>
    </div>
  );
}

/** Describes the claim that was just made. Returns null if there was none. */
function describeClaim(
  claimed: string | undefined,
  submissions: CampaignSubmission[] | undefined,
  heartbeats: HeartbeatStatus | null | undefined,
): string | null {
  if (claimed === HEARTBEAT_REWARD) {
    return heartbeats?.claimed
      ? `You claimed ${formatCount(heartbeats.bonusPoints, "point")} for your heartbeats.`
      : null;
  }
  if (claimed === undefined || !Array.isArray(submissions)) return null;
  const campaign = submissions.find(
    // Another backend may list something that is not a reward.
    (each: CampaignSubmission | null) => each?.campaignId === claimed && each.completed && !each.claimable,
  );
  return campaign ? `You claimed ${formatCount(campaign.bonusPoints, "point")} for “${campaign.campaignName}”.` : null;
}

const sum = (list: Pick<CampaignSubmission, "bonusPoints">[]) =>
  list.reduce((total, { bonusPoints }) => total + bonusPoints, 0);

type FiguresProps = { submissions: CampaignSubmission[]; stats: UserStats; heartbeats: HeartbeatStatus | null };

function Figures({ submissions, stats, heartbeats }: FiguresProps) {
  const part = stats.points_breakdown.find(({ category }) => category?.toLowerCase() === "rewards");
  // Without such a category, nothing was earned. Without a value, the amount is unknown.
  const earned = part ? (part.value ?? Number.NaN) : 0;
  const rewards = heartbeats ? [...submissions, heartbeats] : submissions;
  const { toClaim, toDo, claimed } = groupRewards(rewards);
  return (
    <StatRow label="Your rewards at a glance">
      <Stat label="Points from rewards" value={formatNumber(earned)}>
        {formatShare(stats.points_total, "point")}
      </Stat>
      <Stat label="Claimed" value={formatNumber(claimed.length)}>
        {formatShare(rewards.length, "reward")}
      </Stat>
      <Stat label="Claimable" value={formatNumber(toClaim.length)}>
        {formatCount(sum(toClaim), "point", formatChange)}
      </Stat>
      <Stat label="To do" value={formatNumber(toDo.length)}>
        {formatCount(sum(toDo), "point", formatChange)}
      </Stat>
    </StatRow>
  );
}
