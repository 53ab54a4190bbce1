import { useQuery } from "@tanstack/react-query";
import type { UserStats } from "../../server/points/contract.ts";
import { useRead } from "../cache/query-provider.tsx";
import { useRules } from "../points/use-rules.ts";
import { referralLink } from "../referrals/referral-link.ts";
import { ButtonLink } from "../ui/controls/button.tsx";
import { useWalletConnected } from "../wallet/wallet-state.ts";
import { BreakdownCard } from "./breakdown-card.tsx";
import { ContentPointsCard } from "./content-points-card.tsx";
import { DashboardLayout } from "./dashboard-layout.tsx";
import { CONTENT_PAGE, dashboardHref, logFileHref, type DateErrors, type DashboardView } from "../points/log-view.ts";
import { HistoryCard } from "./history-card.tsx";
import { MissingCard } from "../ui/missing-card.tsx";
import { PointsLogCard } from "../points/points-log-card.tsx";
import { ReferralCard } from "../referrals/referral-card.tsx";
import { RequirementsCard } from "./requirements-card.tsx";
import { StatsRow } from "./stats-row.tsx";
import { useLiveStats } from "./use-live-stats.ts";
import { contentPointsQuery } from "../agent-insights/reads.ts";
import { userQuery } from "../member/reads.ts";
import { pointsHistoryQuery, pointsLogQuery } from "../points/reads.ts";

type DashboardPageProps = {
  view: DashboardView;
  /** What of the address was left out, in words. */
  notices: string[];
  dateErrors: DateErrors;
  /** Where the product is reached from outside. */
  origin: string;
  /** The server's clock when the page was made, in milliseconds. */
  now: number;
};

/** The member's points: how many, since when, from what, and one by one. */
export function DashboardPage({ view, notices, dateErrors, origin, now }: DashboardPageProps) {
  const stats = useLiveStats();
  return (
    <>
      <Notices notices={notices} />
      <DashboardLayout
        stats={stats ? <Figures stats={stats} now={now} /> : <MissingCard title="Your points at a glance" />}
        history={<History view={view} />}
        breakdown={
          stats ? <BreakdownCard breakdown={stats.points_breakdown} /> : <MissingCard title="Where they come from" />
        }
        log={<Log view={view} dateErrors={dateErrors} />}
        side={<Side origin={origin} heartbeats={stats?.heartbeats ?? 0} />}
      />
    </>
  );
}

/** There before it has anything to say, so that what it says is read out. */
function Notices({ notices }: { notices: string[] }) {
  return (
    <output className="mb-4.5 grid gap-1 rounded-control bg-info-soft px-4 py-2.5 text-small text-info empty:hidden">
      {notices.map((notice) => (
        <span key={notice}>{notice}</span>
      ))}
    </output>
  );
}

function Figures({ stats, now }: { stats: UserStats; now: number }) {
  const { referralPoints } = useRules();
  // Two fields that only some backends send.
  const { last_heartbeat_at: last, successful_referrals: successful } = stats;
  const referrals = successful === undefined ? undefined : { successful, pending: stats.total_referrals - successful };
  return (
    <StatsRow stats={stats} lastHeartbeatAt={last} now={now} referralPoints={referralPoints} referrals={referrals} />
  );
}

function History({ view }: { view: DashboardView }) {
  const { data } = useQuery(pointsHistoryQuery(useRead(), { range: view.range }));
  if (!data) return <MissingCard title="Points by day" />;
  const { average, data: days } = data.history;
  return (
    <HistoryCard
      range={view.range}
      days={days}
      average={average}
      hrefFor={(range) => dashboardHref({ ...view, range })}
    />
  );
}

function Log({ view, dateErrors }: Pick<DashboardPageProps, "view" | "dateErrors">) {
  const { page, limit, ...filter } = view.log;
  const { data } = useQuery(pointsLogQuery(useRead(), view.log));
  if (!data) return <MissingCard title="Points log" />;
  const rangeAlone = dashboardHref({ range: view.range, log: { page: 1, limit } });
  return (
    <PointsLogCard
      entries={data.data}
      total={data.total}
      pointsTotal={data.pointsTotal}
      page={page}
      pageSize={limit}
      filter={filter}
      dateErrors={dateErrors}
      open={view.entry}
      keep={Object.fromEntries(new URLSearchParams(rangeAlone.split("?")[1]))}
      hrefFor={(other) => dashboardHref({ range: view.range, log: { ...view.log, page: other } })}
      entryHref={(entry) => dashboardHref({ ...view, entry })}
      fileHref={logFileHref(filter)}
      clearHref={rangeAlone}
    />
  );
}

function Side({ origin, heartbeats }: { origin: string; heartbeats: number }) {
  const read = useRead();
  const { data: user } = useQuery(userQuery(read));
  const { heartbeatsRequired, referralPoints } = useRules();
  const { data: content } = useQuery(contentPointsQuery(read, CONTENT_PAGE));
  return (
    <>
      {user ? (
        <ReferralCard link={referralLink(origin, user.personal_code)} points={referralPoints}>
          <ButtonLink to="/referrals#share" className="mt-3.5 w-full">
            More ways to share
          </ButtonLink>
        </ReferralCard>
      ) : (
        <MissingCard title="Refer a Friend" />
      )}
      <RequirementsCard
        walletLinked={Boolean(user?.wallet)}
        walletConnected={useWalletConnected()}
        heartbeats={heartbeats}
        required={heartbeatsRequired}
      />
      {content ? <ContentPointsCard entries={content.data} /> : <MissingCard title="Content points" />}
    </>
  );
}
