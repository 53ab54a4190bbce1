import { Link } from "react-router";
import type { PointsLogEntry } from "../../server/points/contract.ts";
import { OpenEntry } from "./open-entry.tsx";
import { ButtonLink } from "../ui/controls/button.tsx";
import { Card } from "../ui/card.tsx";
import { EmptyState } from "../ui/empty-state.tsx";
import { useHydrated } from "remix-utils/use-hydrated";
import { Icon } from "../ui/icon.tsx";
import { formatChange } from "../ui/number/number.ts";
import { Pager } from "../ui/table/pager.tsx";
import { Table, type Column } from "../ui/table/table.tsx";
import { Time } from "../ui/time.tsx";
import { CategoryMark } from "./category-mark.tsx";
import type { DateErrors } from "./log-view.ts";
import { HowToEarn } from "./how-to-earn.tsx";
import { PointsLogFilters, type PointsLogFilter } from "./points-log-filters.tsx";

type PointsLogCardProps = {
  entries: PointsLogEntry[];
  total: number;
  /** What all entries that the filter leaves add up to, where the backend says so. */
  pointsTotal?: number | undefined;
  page: number;
  pageSize: number;
  filter: PointsLogFilter;
  dateErrors?: DateErrors;
  /** The entry that is open, on this page of the log or another. */
  open?: string | undefined;
  /** Search parameters of the page that the filter form has to carry along, such as the chart's range. */
  keep?: Record<string, string>;
  hrefFor: (page: number) => string;
  /** The page with another entry open, or none. */
  entryHref: (entry: string | undefined) => string;
  /** All entries that the filter leaves, as a file. */
  fileHref: string;
  /** The page without any filter. */
  clearHref: string;
};

/** Every change of the member's points, newest first, by category and by date. */
export function PointsLogCard(props: PointsLogCardProps) {
  const { entries, filter, dateErrors, keep, open, total, clearHref, entryHref } = props;
  return (
    <Card
      title="Points log"
      padded={false}
      aside={<PointsLogFilters filter={filter} dateErrors={dateErrors} keep={keep} clearHref={clearHref} />}
    >
      {open && !entries.some(({ id }) => id === open) && <Elsewhere id={open} entryHref={entryHref} />}
      {entries.length > 0 ? <Entries {...props} /> : <Nothing filter={filter} clearHref={clearHref} />}
      {total > 0 && <Footer {...props} />}
    </Card>
  );
}

type EntryProps = Pick<PointsLogCardProps, "open" | "entryHref">;

/** An entry that the address names and this page of the log does not have. */
function Elsewhere({ id, entryHref }: { id: string } & Pick<EntryProps, "entryHref">) {
  return (
    <section aria-label="The entry of this address" className="border-t border-line bg-sunken px-4.5 py-3.5">
      <OpenEntry id={id} hrefFor={entryHref} />
      <Link to={entryHref(undefined)} preventScrollReset replace className="mt-2.5 inline-block text-small underline">
        Close
      </Link>
    </section>
  );
}

const rowIdOf = ({ id }: PointsLogEntry) => id && `entry-${id}`;

function Entries({ entries, ...props }: PointsLogCardProps) {
  return (
    <Table
      caption="Points log"
      columns={listColumns(props)}
      rows={entries}
      rowKey={({ id, timestamp }, index) => id ?? `${timestamp}-${index}`}
      rowId={rowIdOf}
      // Moved by nothing, a row is what its link stretches over. WebKit takes no notice of a row's `position`.
      rowClass={({ id }) => (id ? "translate-0 hover:bg-sunken" : "")}
      below={explainOpen(props)}
    />
  );
}

const listColumns = (props: EntryProps): Column<PointsLogEntry>[] => [
  { head: "Category", cell: ({ category }) => <CategoryMark category={category} /> },
  { head: "Comment", cell: (entry) => <Comment entry={entry} {...props} />, className: "text-ink-2" },
  {
    head: "When",
    cell: ({ timestamp }) => <Time dateTime={timestamp} />,
    // As wide as the longest time with its zone, so that columns stay put when the zone goes.
    className: "num w-48 whitespace-nowrap text-ink-2",
  },
  { head: "Points", cell: ({ points }) => formatChange(points), align: "end", className: "num" },
];

const explainOpen =
  ({ entryHref, open }: EntryProps) =>
  ({ id }: PointsLogEntry) =>
    id &&
    id === open && (
      <tr id={`why-${id}`} className="border-b border-line bg-sunken last:border-b-0">
        <td colSpan={4} className="px-4.5 pt-1.5 pb-4">
          <OpenEntry id={id} hrefFor={entryHref} />
        </td>
      </tr>
    );

/** Opens and closes its row, by the link that stretches over it. An entry without an id cannot be opened. */
function Comment({ entry, open, entryHref }: { entry: PointsLogEntry } & EntryProps) {
  // Without a script the page begins anew: at the row.
  const anchor = useHydrated() ? "" : `#${rowIdOf(entry)}`;
  const { comment, id } = entry;
  if (!id) return comment;
  const isOpen = id === open;
  return (
    <Link
      to={`${entryHref(isOpen ? undefined : id)}${anchor}`}
      preventScrollReset
      replace
      aria-expanded={isOpen}
      aria-controls={isOpen ? `why-${id}` : undefined}
      className="inline-flex items-center gap-1.5 text-inherit no-underline after:absolute after:inset-0"
    >
      {comment}
      <Icon name="down" className={`size-3 shrink-0 text-ink-3 ${isOpen ? "rotate-180" : ""}`} />
    </Link>
  );
}

function Footer({ total, pointsTotal, page, pageSize, hrefFor, fileHref }: PointsLogCardProps) {
  return (
    <Pager label="Pages of the points log" page={page} pageSize={pageSize} total={total} hrefFor={hrefFor}>
      {pointsTotal !== undefined && (
        <span>
          Sum <span className="num text-ink">{formatChange(pointsTotal)}</span>
        </span>
      )}
      <a href={fileHref} className="underline underline-offset-2 hover:text-ink">
        Download as CSV
      </a>
    </Pager>
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
