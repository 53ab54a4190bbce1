import { useQuery } from "@tanstack/react-query";
import type { Referral, ReferralStats } from "../../server/referrals/contract.ts";
import { useRead } from "../cache/query-provider.tsx";
import { useRules } from "../points/use-rules.ts";
import { brand } from "../../brand.ts";
import { CLAIM_NOTE, ClaimOutcome } from "../claims/claim-outcome.tsx";
import { DataCard } from "../ui/data-card.tsx";
import { ReferralCard } from "./referral-card.tsx";
import { formatNumber } from "../ui/number/number.ts";
import { Stat, StatRow } from "../ui/number/stat.tsx";
import { FriendsCard } from "./friends-card.tsx";
import { referralLink } from "./referral-link.ts";
import { ShareOptions } from "./share-options.tsx";
import { useNote } from "../outcome/notes.tsx";
import type { ReferralsQuery } from "./referrals-view.ts";
import { userQuery } from "../member/reads.ts";
import { referralsQuery } from "./reads.ts";

type ReferralsPageProps = {
  view: ReferralsQuery;
  /** Where the product is reached from outside. */
  origin: string;
  /** Why a claim was refused. */
  refusal: string | null;
};

/** The friends a member invited, how far each has come, and the link for more of them. */
export function ReferralsPage({ view, origin, refusal }: ReferralsPageProps) {
  const read = useRead();
  const claim = useNote(CLAIM_NOTE);
  const { data: user } = useQuery(userQuery(read));
  const { data: friends } = useQuery(referralsQuery(read, view));
  return (
    <div className="grid gap-4.5">
      <ClaimOutcome claimed={claim && describeClaim(claim.about, friends?.referrals)} refusal={refusal} />
      <DataCard data={friends} title="Your referrals at a glance">
        {({ stats }) => <Figures stats={stats} />}
      </DataCard>
      <DataCard data={user} title="Refer a Friend">
        {({ personal_code }) => <Invitation code={personal_code} origin={origin} />}
      </DataCard>
      <DataCard data={friends} title="Your friends">
        {(known) => <FriendsCard friends={known} list={view} />}
      </DataCard>
    </div>
  );
}

function Invitation({ code, origin }: { code: string | null; origin: string }) {
  const { referralPoints } = useRules();
  const link = referralLink(origin, code);
  const message = `Join me on ${brand.name} and start with ${formatNumber(referralPoints)} extra points.`;
  return (
    <ReferralCard wide link={link} points={referralPoints}>
      {code && link && <ShareOptions code={code} link={link} message={message} />}
    </ReferralCard>
  );
}

/** What to say of the claim that has just been made. */
function describeClaim(claimed: string, friends: Referral[] | undefined): string {
  const friend = Array.isArray(friends) && friends.find(({ id, status }) => id === claimed && status === "Success");
  if (!friend) return "The points for your friend are yours.";
  return `${formatNumber(friend.invitedPoints)} points for ${friend.inviteeEmail ?? "your friend"} are yours.`;
}

function Figures({ stats }: { stats: ReferralStats }) {
  const { referralPoints } = useRules();
  const { totalReferralPoints, successfulReferralsAmount, pendingReferralsAmount } = stats;
  return (
    <StatRow label="Your referrals at a glance">
      <Stat label="Referral points" value={formatNumber(totalReferralPoints)}>
        {formatNumber(referralPoints)} for each friend
      </Stat>
      <Stat label="Friends" value={formatNumber(successfulReferralsAmount + pendingReferralsAmount)}>
        joined with your link
      </Stat>
      <Stat label="Successful" value={formatNumber(successfulReferralsAmount)}>
        claimed by you
      </Stat>
      <Stat label="Pending" value={formatNumber(pendingReferralsAmount)}>
        on their way, or to claim
      </Stat>
    </StatRow>
  );
}
