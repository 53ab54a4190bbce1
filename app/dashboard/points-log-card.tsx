import type { PointsLogEntry } from "../../server/points/contract.ts";
import { ButtonLink } from "../ui/button.tsx";
import { Card } from "../ui/card.tsx";
import { EmptyState } from "../ui/empty-state.tsx";
import { formatChange } from "../ui/number.ts";
import { Pager } from "../ui/pager.tsx";
import { Table, type Column } from "../ui/table.tsx";
import { Time } from "../ui/time.tsx";
import { CategoryMark } from "./category-mark.tsx";
import { HowToEarn } from "./how-to-earn.tsx";
import { PointsLogFilters, type PointsLogFilter } from "./points-log-filters.tsx";

const COLUMNS: Column<PointsLogEntry>[] = [
  { head: "Category", cell: ({ category }) => <CategoryMark category={category} /> },
  { head: "Comment", cell: ({ comment }) => comment, className: "text-ink-2" },
  {
    head: "When",
    cell: ({ timestamp }) => <Time dateTime={timestamp} />,
    // As wide as the longest time with its zone, so that columns stay put when the zone goes.
    className: "num w-48 whitespace-nowrap text-ink-2",
  },
  { head: "Points", cell: ({ points }) => formatChange(points), align: "end", className: "num" },
];

type PointsLogCardProps = {
  entries: PointsLogEntry[];
  total: number;
  page: number;
  pageSize: number;
  filter: PointsLogFilter;
  /** Search parameters of the page that the filter form has to carry along, such as the chart's range. */
  keep?: Record<string, string>;
  hrefFor: (page: number) => string;
  /** The page without any filter. */
  clearHref: string;
};

/** Every change of the member's points, newest first, by category and by date. */
export function PointsLogCard({
  entries,
  total,
  page,
  pageSize,
  filter,
  keep,
  hrefFor,
  clearHref,
}: PointsLogCardProps) {
  return (
    <Card
      title="Points log"
      padded={false}
      aside={<PointsLogFilters filter={filter} keep={keep} clearHref={clearHref} />}
    >
      {entries.length > 0 ? (
        <Table
          caption="Points log"
          columns={COLUMNS}
          rows={entries}
          rowKey={(entry, index) => `${entry.timestamp}-${index}`}
        />
      ) : (
        <Nothing filter={filter} clearHref={clearHref} />
      )}
      {total > 0 && (
        <Pager label="Pages of the points log" page={page} pageSize={pageSize} total={total} hrefFor={hrefFor} />
      )}
    </Card>
  );
}

function Nothing({ filter, clearHref }: Pick<PointsLogCardProps, "filter" | "clearHref">) {
  const { category, startDate, endDate } = filter;
  if (!category && !startDate && !endDate)
    return (
      <EmptyState title="No points yet" text="They appear here with your node's first heartbeat.">
        <HowToEarn />
      </EmptyState>
    );
  return (
    <EmptyState
      title={startDate || endDate ? "No points in these dates" : `No points from ${category} yet`}
      text={
        startDate || endDate
          ? "Pick a wider range, or clear the filters."
          : "Pick another category, or clear the filters."
      }
    >
      <ButtonLink to={clearHref} preventScrollReset variant="quiet">
        Clear filters
      </ButtonLink>
    </EmptyState>
  );
}
