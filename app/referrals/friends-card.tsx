import type { Referral, Referrals, ReferralStatus } from "../../server/referrals/contract.ts";
import { asText } from "../cache/as-text.ts";
import { useRules } from "../points/use-rules.ts";
import { ClaimAllForm, ClaimForm, useIsClaiming, useIsClaimingAll } from "../claims/claim-form.tsx";
import { ButtonLink } from "../ui/controls/button.tsx";
import { Card } from "../ui/card.tsx";
import { EmptyState } from "../ui/empty-state.tsx";
import { formatChange, formatCount, formatNumber } from "../ui/number/number.ts";
import { Pager } from "../ui/table/pager.tsx";
import { Pill, type PillTone } from "../ui/pill.tsx";
import { SegmentedLinks } from "../ui/table/segmented-links.tsx";
import { Table, type Column } from "../ui/table/table.tsx";
import { formatMonthDay } from "../ui/time.tsx";
import { explainPending } from "./explain-pending.ts";
import { PAGE_SIZES, referralsHref, STATUSES, type ReferralsQuery } from "./referrals-view.ts";

const TONES: Record<ReferralStatus, PillTone> = { Claimable: "info", Pending: "warn", Success: "good" };

const COLUMNS: Column<Referral>[] = [
  { head: "User", cell: (friend) => <Friend friend={friend} />, className: "min-w-44 max-w-100" },
  {
    head: "Heartbeats",
    cell: ({ inviteeHeartbeats }) => formatNumber(inviteeHeartbeats),
    align: "end",
    className: "num",
  },
  {
    head: "Wallet",
    cell: ({ walletConnected }) => (walletConnected ? "Connected" : <span className="text-ink-3">Not yet</span>),
  },
  { head: "Status", cell: (friend) => <Status friend={friend} /> },
  {
    head: "Joined",
    cell: ({ invitedAt }) => <time dateTime={invitedAt}>{formatMonthDay(invitedAt)}</time>,
    className: "whitespace-nowrap",
  },
  { head: "Points", cell: (friend) => <Claim friend={friend} />, align: "end", isPinned: true },
];

type FriendsCardProps = {
  friends: Referrals;
  /** The friends whose points can be claimed, if they are known. */
  claimable: Referrals | undefined;
  list: ReferralsQuery;
};

/** Lists the friends who joined with the member's link: claimable ones first, then the newest. */
export function FriendsCard({ friends: { referrals, stats, pagination }, claimable, list }: FriendsCardProps) {
  const { page, limit, status } = list;
  const toClaim = claimable?.pagination.total ?? 0;
  // A backend may have smaller pages than requested.
  const pageSize = pagination.limit > 0 ? pagination.limit : limit;
  return (
    <Card
      title="Your friends"
      padded={false}
      said={referralsHref(list)}
      aside={
        <>
          {toClaim > 1 && <ClaimAllForm>{`Claim all (${formatNumber(toClaim)})`}</ClaimAllForm>}
          <Choices list={list} />
        </>
      }
    >
      {referrals.length > 0 ? (
        <Table caption="Your friends" columns={COLUMNS} rows={referrals} rowKey={({ id }) => id} />
      ) : pagination.total > 0 ? (
        <Beyond lastHref={referralsHref({ ...list, page: Math.ceil(pagination.total / pageSize) })} />
      ) : (
        <Nobody status={status} stats={stats} />
      )}
      {referrals.length > 0 && (
        <Pager
          label="Pages of your friends"
          page={page}
          pageSize={pageSize}
          total={pagination.total}
          hrefFor={(other) => referralsHref({ ...list, page: other })}
        />
      )}
    </Card>
  );
}

function Choices({ list }: { list: ReferralsQuery }) {
  const { limit, status } = list;
  const all = { label: "All", href: referralsHref({ page: 1, limit }), current: !status };
  return (
    <>
      <SegmentedLinks
        label="Status"
        segments={[
          all,
          ...STATUSES.map((each) => ({
            label: each,
            href: referralsHref({ page: 1, limit, status: each }),
            current: each === status,
          })),
        ]}
      />
      <SegmentedLinks
        label="Friends per page"
        segments={PAGE_SIZES.map((size) => ({
          label: String(size),
          href: referralsHref({ ...list, page: 1, limit: size }),
          current: size === limit,
        }))}
      />
    </>
  );
}

/** Returns whether the friend's points are being claimed. */
function useIsClaimed({ canClaim, id }: Referral): boolean {
  const isAll = useIsClaimingAll();
  return useIsClaiming(id) || (isAll && canClaim);
}

function Status({ friend }: { friend: Referral }) {
  const status = useIsClaimed(friend) ? "Success" : friend.status;
  // Another backend may have more statuses.
  return <Pill tone={TONES[status] ?? "mute"}>{status}</Pill>;
}

const nameOf = ({ inviteeEmail }: Referral) => asText(inviteeEmail) ?? "Anonymous";

function Friend({ friend }: { friend: Referral }) {
  const { heartbeatsRequired } = useRules();
  const reason = friend.status === "Pending" ? explainPending(friend, heartbeatsRequired) : null;
  return (
    <span className="grid gap-0.5">
      <span className="wrap-anywhere">{nameOf(friend)}</span>
      {reason && <span className="text-hint text-ink-3">{reason}</span>}
    </span>
  );
}

function Claim({ friend }: { friend: Referral }) {
  const { id, canClaim, invitedPoints, status } = friend;
  const isClaimed = useIsClaimed(friend);
  if (status === "Success" || isClaimed) return <span className="num">{formatChange(invitedPoints)}</span>;
  const what = `${formatCount(invitedPoints, "point")} for ${nameOf(friend)}`;
  return canClaim ? <ClaimForm id={id} label={`Claim ${what}`} /> : null;
}

/** Shown if all friends on an open page have another status by now. */
const Beyond = ({ lastHref }: { lastHref: string }) => (
  <EmptyState title="This page is empty now" text="The list has become shorter.">
    <ButtonLink to={lastHref} preventScrollReset variant="quiet">
      Go to the last page
    </ButtonLink>
  </EmptyState>
);

const EMPTY: Record<ReferralStatus, { title: string; text: (heartbeats: string) => string }> = {
  Claimable: {
    title: "Nothing to claim",
    text: (heartbeats) => `You can claim points when a friend has ${heartbeats} heartbeats and a linked wallet.`,
  },
  Pending: { title: "No pending friends", text: () => "All the friends you invited are active." },
  Success: { title: "Nothing claimed yet", text: () => "Friends whose points you claimed appear here." },
};

function Nobody({ status, stats }: { status: ReferralStatus | undefined } & Pick<Referrals, "stats">) {
  const { heartbeatsRequired } = useRules();
  // Members who have invited nobody read how to do so, whichever status they look at.
  if (!status || stats.successfulReferralsAmount + stats.pendingReferralsAmount === 0)
    return <EmptyState title="No friends yet" text="Share your link. Friends who join with it appear here." />;
  const { title, text } = EMPTY[status];
  return (
    <EmptyState title={title} text={text(formatNumber(heartbeatsRequired))}>
      <ButtonLink to="/referrals" preventScrollReset variant="quiet">
        Show all friends
      </ButtonLink>
    </EmptyState>
  );
}
