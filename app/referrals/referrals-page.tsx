import type { Referral, Referrals } from "../../server/referrals/contract.ts";
import { asText } from "../cache/as-text.ts";
import { useRead } from "../cache/query-provider.tsx";
import { useQuery } from "../cache/use-query.ts";
import { useRules } from "../points/use-rules.ts";
import { brand } from "../../brand.ts";
import { CLAIM_NOTE, ClaimOutcome } from "../claims/claim-outcome.tsx";
import { DataCard } from "../ui/data-card.tsx";
import { ReferralCard } from "./referral-card.tsx";
import { formatChange, formatCount, formatNumber, formatShare } from "../ui/number/number.ts";
import { Stat, StatRow } from "../ui/number/stat.tsx";
import { describeClaimed } from "./claimed.ts";
import { FriendsCard } from "./friends-card.tsx";
import { referralLink } from "./referral-link.ts";
import { ShareOptions } from "./share-options.tsx";
import { useNote } from "../outcome/notes.tsx";
import type { ReceivedOutcome } from "../outcome/outcome.ts";
import type { ReferralsQuery } from "./referrals-view.ts";
import { userQuery } from "../member/reads.ts";
import { claimableQuery, referralsQuery } from "./reads.ts";

type ReferralsPageProps = {
  view: ReferralsQuery;
  /** The product's public address. */
  origin: string;
  /** Why a claim was refused. */
  refusal: string | null;
};

/** Shows the friends that a member has invited, how far each has come, and the link to invite more. */
export function ReferralsPage({ view, origin, refusal }: ReferralsPageProps) {
  const read = useRead();
  const claim = useNote(CLAIM_NOTE);
  const { data: user } = useQuery(userQuery(read));
  const { data: friends } = useQuery(referralsQuery(read, view));
  const { data: claimable } = useQuery(claimableQuery(read, view));
  return (
    <div className="grid gap-4.5">
      <DataCard data={friends && claimable && { friends, claimable }} title="Your referrals at a glance">
        {(known) => <Figures {...known} />}
      </DataCard>
      <DataCard data={user} id="share" title="Refer a Friend">
        {({ personal_code }) => <Invitation code={personal_code} origin={origin} />}
      </DataCard>
      <ClaimOutcome claimed={claim && describeClaim(claim, friends?.referrals)} refusal={refusal} />
      <DataCard data={friends} title="Your friends">
        {(known) => <FriendsCard friends={known} claimable={claimable} list={view} />}
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

/** Describes the claim that was just made. */
function describeClaim({ word, about }: ReceivedOutcome<"made" | "all">, friends: Referral[] | undefined): string {
  if (word === "all") return describeClaimed(about);
  // Another backend may list something that is not a friend.
  const isClaimed = (each: Referral | null) => each?.id === about && each.status === "Success";
  const friend = Array.isArray(friends) && friends.find(isClaimed);
  if (!friend) return "You claimed the points for your friend.";
  const name = asText(friend.inviteeEmail) ?? "your friend";
  return `You claimed ${formatCount(friend.invitedPoints, "point")} for ${name}.`;
}

function Figures({ friends: { stats }, claimable }: { friends: Referrals; claimable: Referrals }) {
  const { referralPoints } = useRules();
  const { totalReferralPoints, successfulReferralsAmount: successful, pendingReferralsAmount: unclaimed } = stats;
  const toClaim = claimable.pagination.total;
  const points = claimable.referrals.reduce((sum, { invitedPoints }) => sum + invitedPoints, 0);
  return (
    <StatRow label="Your referrals at a glance">
      <Stat label="Referral points" value={formatNumber(totalReferralPoints)}>
        {formatNumber(referralPoints)} for each friend
      </Stat>
      <Stat label="Claimable" value={formatNumber(toClaim)}>
        {claimable.referrals.length === toClaim ? formatCount(points, "point", formatChange) : "friends"}
      </Stat>
      {/* In the specification, claimable friends count as pending, too. */}
      <Stat label="Pending" value={formatNumber(Math.max(0, unclaimed - toClaim))}>
        not active yet
      </Stat>
      <Stat label="Success" value={formatNumber(successful)}>
        {formatShare(successful + unclaimed, "friend")}
      </Stat>
    </StatRow>
  );
}
