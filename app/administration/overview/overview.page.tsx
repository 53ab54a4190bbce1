import { MAX_COUNTED, type NetworkOverview } from "../../../server/network/contract.ts";
import { CategoryTable } from "../category-table.tsx";
import { Card } from "../../ui/card.tsx";
import { Stat, StatRow } from "../../ui/number/stat.tsx";
import { Link } from "../../ui/link.tsx";
import { formatCount, formatNumber } from "../../ui/number/number.ts";
import { Pill } from "../../ui/pill.tsx";
import { Table, type Column } from "../../ui/table/table.tsx";
import { definePage } from "../page.ts";
import { Moment, capitalize } from "../parts.tsx";

/** The state of the network at a glance. */
export const overviewPage = definePage({
  path: "",
  title: "Overview",
  navigation: { label: "Overview", icon: "panel" },
  load: ({ api }) => api.overview(),
  Page: ({ data }) => (
    <div className="grid gap-4.5">
      <p className="text-small text-ink-2">
        {data.summedAt ? (
          <>
            Members, nodes, points and claims as of <Moment at={data.summedAt} />. Days are in UTC.
          </>
        ) : (
          "Members, nodes, points and claims are updated every five minutes. The first figures appear in a moment."
        )}
      </p>
      {data.adjustmentRequests > 0 && (
        <p>
          <Link to="/admin/adjustments" className="font-strong underline">
            {formatCount(data.adjustmentRequests, "point adjustment")}
          </Link>{" "}
          waiting for a second administrator. A request expires after a week.
        </p>
      )}
      <Figures overview={data} />
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4.5 lg:grid-cols-2">
        <Card title="Points posted today" padded={false}>
          <CategoryTable caption="Points posted today" points={data.points} />
        </Card>
        <Chain chain={data.chain} />
      </div>
      <Queue queue={data.queue} />
    </div>
  ),
});

function Figures({ overview }: { overview: NetworkOverview }) {
  const { members, unconfirmed, heard, claims, heldReferrals } = overview;
  return (
    <StatRow label="The network" columns={3}>
      <Stat label="Members" value={formatNumber(members.total)}>
        {formatNumber(members.joinedToday)} joined and {formatNumber(members.leftToday)} left today
      </Stat>
      <Stat label="Not confirmed yet" value={formatNumber(unconfirmed)}>
        {orMore(unconfirmed)}waiting for the code to be entered
      </Stat>
      <Stat label="Held invitations" value={formatNumber(heldReferrals)}>
        {orMore(heldReferrals)}
        <Link to="/admin/referrals" className="underline">
          waiting for a decision
        </Link>
      </Stat>
      <Stat label="Active in the last hour" value={formatNumber(heard.inHour)}>
        members whose nodes sent a heartbeat
      </Stat>
      <Stat label="Active in the last day" value={formatNumber(heard.inDay)}>
        members whose nodes sent a heartbeat
      </Stat>
      <Stat label="Claims today" value={formatNumber(claims)}>
        from rewards and invitations
      </Stat>
    </StatRow>
  );
}

const orMore = (count: number) => (count < MAX_COUNTED ? "" : "or more, ");

function Chain({ chain: { isOk, problem, jobs } }: { chain: NetworkOverview["chain"] }) {
  return (
    <Card title="Chain" aside={<Pill tone={isOk ? "good" : "warn"}>{isOk ? "Reachable" : "Needs attention"}</Pill>}>
      {problem && <p className="mb-3 text-small">{problem}</p>}
      {jobs.length === 0 ? (
        <p className="text-ink-2">No transaction is waiting.</p>
      ) : (
        <dl className="admin-figures">
          {jobs.map(({ state, queued }) => (
            <div key={state}>
              <dt>{capitalize(state)}</dt>
              <dd className="num">{formatNumber(queued)}</dd>
            </div>
          ))}
        </dl>
      )}
    </Card>
  );
}

type Queued = NetworkOverview["queue"][number];

/** Links to the jobs that were given up, or to all jobs if none was. */
function KindCell({ dead, kind }: Queued) {
  const path = kind === "mail" ? "/admin/mail" : "/admin/background-jobs";
  return (
    <Link to={dead > 0 ? path : `${path}?show=all`} className="underline">
      {kind === "mail" ? "emails" : kind}
    </Link>
  );
}

const QUEUE_COLUMNS: Column<Queued>[] = [
  { head: "Kind", cell: KindCell },
  { head: "Queued", align: "end", className: "num", cell: ({ queued }) => formatNumber(queued) },
  {
    head: "Longest overdue",
    align: "end",
    className: "num",
    cell: ({ oldestDueSeconds }) => formatDuration(oldestDueSeconds),
  },
  {
    head: "Given up",
    align: "end",
    className: "num",
    cell: ({ dead }) => (dead > 0 ? <Pill tone="warn">{formatNumber(dead)}</Pill> : 0),
  },
];

function Queue({ queue }: { queue: Queued[] }) {
  return (
    <Card title="Emails and background jobs" padded={queue.length === 0}>
      {queue.length === 0 ? (
        <p className="text-ink-2">Nothing is waiting.</p>
      ) : (
        <Table caption="Emails and background jobs" rows={queue} rowKey={({ kind }) => kind} columns={QUEUE_COLUMNS} />
      )}
    </Card>
  );
}

const UNITS = [
  { unit: "s", seconds: 1, below: 120 },
  { unit: "min", seconds: 60, below: 7200 },
  { unit: "h", seconds: 3600, below: 172_800 },
  { unit: "d", seconds: 86_400, below: Infinity },
];

/** Formats a duration: `90 s`, `12 min`, `5 h`, `3 d`. */
function formatDuration(seconds: number): string {
  const step = UNITS.find(({ below }) => seconds < below);
  return step ? `${Math.floor(seconds / step.seconds)} ${step.unit}` : "–";
}
