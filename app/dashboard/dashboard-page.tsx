import { useRead } from "../cache/query-provider.tsx";
import { useQuery } from "../cache/use-query.ts";
import { useRules } from "../points/use-rules.ts";
import { referralLink } from "../referrals/referral-link.ts";
import { ButtonLink } from "../ui/controls/button.tsx";
import { BreakdownCard } from "./breakdown-card.tsx";
import { ContentPointsCard } from "./content-points-card.tsx";
import { CONTENT_PAGE, dashboardHref, type DateErrors, type DashboardView } from "../points/log-view.ts";
import { FirstSteps } from "./first-steps.tsx";
import { HistoryCard } from "./history-card.tsx";
import { MachineCard } from "./machine-card.tsx";
import { DataCard } from "../ui/data-card.tsx";
import { Guard } from "../ui/guard.tsx";
import { PointsLogCard } from "../points/points-log-card.tsx";
import { ReferralCard } from "../referrals/referral-card.tsx";
import { StatsRow } from "./stats-row.tsx";
import { contentPointsQuery } from "../agent-insights/reads.ts";
import { PollStats } from "../live/poll-stats.tsx";
import { userQuery } from "../member/reads.ts";
import { pointsHistoryQuery, pointsLogQuery, statsQuery } from "../points/reads.ts";

/** How often the open dashboard asks for new points while the server does not announce any, in milliseconds. */
const POLL_MS = 5000;

type DashboardPageProps = {
  view: DashboardView;
  /** What was ignored in the address, in words. */
  notices: string[];
  dateErrors: DateErrors;
  /** The member who has hidden the list of first steps, from its cookie. */
  hiddenFirstSteps: string | undefined;
  /** The product's public address. */
  origin: string;
  /** The server's clock when the page was rendered, in milliseconds. */
  now: number;
};

/** Shows the member's points: the total, by day, by category, and one by one. */
export function DashboardPage({ view, notices, dateErrors, hiddenFirstSteps, origin, now }: DashboardPageProps) {
  const read = useRead();
  const { data: stats } = useQuery(statsQuery(read));
  const { data: log } = useQuery(pointsLogQuery(read, view.log));
  const isNew = stats && stats.heartbeats < FEW && Number(log?.total) < 2 * FEW;
  return (
    <>
      <PollStats every={POLL_MS} />
      <Notices notices={notices} />
      <div className="grid gap-4.5">
        <Guard data={stats} fallback={null}>
          {(known) => <FirstSteps stats={known} hiddenFor={hiddenFirstSteps} />}
        </Guard>
        <DataCard data={stats} title="Your points at a glance">
          {(known) => <StatsRow stats={known} now={now} />}
        </DataCard>
        <div className={`${ROW} items-stretch`}>
          <History view={view} />
          <DataCard data={stats} title="Points by category">
            {(known) => <BreakdownCard breakdown={known.points_breakdown} />}
          </DataCard>
        </div>
        <div className={isNew ? ROW : `${ROW} items-start`}>
          <Log view={view} dateErrors={dateErrors} now={now} />
          <div className={isNew ? "contents" : "grid gap-4.5"}>
            <Side origin={origin} heartbeats={stats?.heartbeats ?? 0} />
          </div>
        </div>
      </div>
    </>
  );
}

/** Two columns if there is room for them, otherwise one. */
const ROW = "grid gap-4.5 *:min-w-0 @4xl/page:grid-cols-[1.9fr_1fr]";

/**
 * With fewer heartbeats than this, the log is lower than the cards beside it. Then each card has its own place, and
 * none is empty.
 */
const FEW = 5;

/** Present before it has anything to say, so that screen readers announce what it says. */
function Notices({ notices }: { notices: string[] }) {
  return (
    <output className="note mb-4.5 grid gap-1 bg-info-soft text-info">
      {notices.map((notice) => (
        <span key={notice}>{notice}</span>
      ))}
    </output>
  );
}

function History({ view }: { view: DashboardView }) {
  const { data } = useQuery(pointsHistoryQuery(useRead(), { range: view.range }));
  return (
    <DataCard data={data} title="Points by day">
      {({ history }) => (
        <HistoryCard
          range={view.range}
          days={history.data}
          average={history.average}
          hrefFor={(range) => dashboardHref({ ...view, range })}
        />
      )}
    </DataCard>
  );
}

function Log({ view, dateErrors, now }: Pick<DashboardPageProps, "view" | "dateErrors" | "now">) {
  const { data } = useQuery(pointsLogQuery(useRead(), view.log));
  return (
    <DataCard data={data} title="Points log">
      {(log) => <PointsLogCard log={log} view={view} dateErrors={dateErrors} now={now} />}
    </DataCard>
  );
}

function Side({ origin, heartbeats }: { origin: string; heartbeats: number }) {
  const read = useRead();
  const { data: user } = useQuery(userQuery(read));
  const { referralPoints } = useRules();
  const { data: content } = useQuery(contentPointsQuery(read, CONTENT_PAGE));
  return (
    <>
      <DataCard data={user} title="Refer a Friend">
        {({ personal_code }) => (
          <ReferralCard link={referralLink(origin, personal_code)} points={referralPoints}>
            <ButtonLink to="/referrals#share" className="mt-3.5 w-full">
              More ways to share
            </ButtonLink>
          </ReferralCard>
        )}
      </DataCard>
      <MachineCard heartbeats={heartbeats} />
      <DataCard data={content} title="Content points">
        {({ data }) => <ContentPointsCard entries={data} />}
      </DataCard>
    </>
  );
}
