import { useMemo } from "react";
import type { DataStats, JobsStats } from "../../server/agent-insights/contract.ts";
import { useRead } from "../cache/query-provider.tsx";
import { useQuery } from "../cache/use-query.ts";
import { usePersistEntry, useStoredEntry } from "../session/stored-entries.ts";
import { DataCard } from "../ui/data-card.tsx";
import { formatNumber } from "../ui/number/number.ts";
import { Pill } from "../ui/pill.tsx";
import { SegmentedLinks } from "../ui/table/segmented-links.tsx";
import type { KeyRefusal, CreatedKey } from "../start-node/created-key.ts";
import { useCreatedKey } from "../start-node/use-created-key.ts";
import { Stat, StatRow } from "../ui/number/stat.tsx";
import { insightsHref, RANGES, type InsightsView } from "./insights-view.ts";
import { JobsCard } from "./jobs-card.tsx";
import { NodeCard } from "./node-card.tsx";
import { dailyJobsQuery, dataStatsQuery, networkJobsQuery } from "./reads.ts";
import { formatSize } from "./format-size.ts";

type InsightsPageProps = {
  view: InsightsView;
  /** The product's public address. */
  origin: string;
  /** The machine key that was just created, if any. */
  made: CreatedKey | null;
  refusal: KeyRefusal | null;
  /** The server's clock when the page was rendered, in milliseconds. */
  now: number;
};

/** Shows the state of the member's node and what it gathers, beside what all nodes gather. */
export function InsightsPage({ view, now, made, ...start }: InsightsPageProps) {
  const read = useRead();
  const key = useCreatedKey(made);
  const { days } = view;
  const { data: stats } = useQuery(dataStatsQuery(read));
  const { data: mine } = useQuery(dailyJobsQuery(read, { days }));
  const ranges = RANGES.map((range) => ({
    label: `${range} days`,
    href: insightsHref({ days: range }),
    current: range === days,
  }));
  return (
    <div className="grid gap-4.5">
      <NodeCard now={now} {...start} made={key} />
      <DataCard data={stats} title="What your node has gathered">
        {(known) => <Figures stats={known} />}
      </DataCard>
      <DataCard data={mine} title={`Your node, last ${days} days`}>
        {({ data }) => (
          <JobsCard
            title={`Your node, last ${days} days`}
            days={data}
            aside={<SegmentedLinks label="Range of the charts" segments={ranges} />}
            emptyText="Jobs appear here as soon as your node has finished some."
          />
        )}
      </DataCard>
      <Network days={days} />
    </div>
  );
}

/** Shows what all nodes gather. If that is not available, shows what this browser saw last. */
function Network({ days }: InsightsView) {
  const { data } = useQuery(networkJobsQuery(useRead(), { days }));
  const stored = useStoredEntry("gatheredData")[days];
  usePersistEntry(
    "gatheredData",
    useMemo(() => data && { [days]: data }, [data, days]),
  );
  const title = `The whole network, last ${days} days`;
  return (
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- kept data is rendered as it is, like a response
    <DataCard data={data === undefined ? (stored as JobsStats | undefined) : data} title={title}>
      {(known) => (
        <JobsCard
          title={title}
          days={known.data}
          aside={!data && <Pill tone="mute">As you last saw it</Pill>}
          emptyText="No node has finished a job on these days."
        />
      )}
    </DataCard>
  );
}

function Figures({ stats }: { stats: DataStats }) {
  return (
    <StatRow label="What your node has gathered" columns={3}>
      <Stat label="Jobs" value={formatNumber(stats.total_jobs)}>
        finished, all time
      </Stat>
      <Stat label="Points from jobs" value={formatNumber(stats.total_jobs_points)}>
        all time, in the category Others
      </Stat>
      <Stat label="Result size" value={formatSize(stats.result_size)}>
        sent, all time
      </Stat>
      <Stat label="Profiles" value={formatNumber(stats.profiles_amount)}>
        gathered, all time
      </Stat>
      <Stat label="Comments" value={formatNumber(stats.comments_amount)}>
        gathered, all time
      </Stat>
      <Stat label="Posts" value={formatNumber(stats.posts_amount)}>
        gathered, all time
      </Stat>
    </StatRow>
  );
}
