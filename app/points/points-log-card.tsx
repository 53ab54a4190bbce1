import { useHydrated } from "remix-utils/use-hydrated";
import type { PointsLog, PointsLogEntry } from "../../server/points/contract.ts";
import { OpenEntry } from "./open-entry.tsx";
import { ButtonLink } from "../ui/controls/button.tsx";
import { Card } from "../ui/card.tsx";
import { EmptyState } from "../ui/empty-state.tsx";
import { Icon } from "../ui/icon.tsx";
import { formatChange } from "../ui/number/number.ts";
import { Pager } from "../ui/table/pager.tsx";
import { Table, type Column } from "../ui/table/table.tsx";
import { formatDay, Time } from "../ui/time.tsx";
import { CategoryMark } from "./category-mark.tsx";
import { dashboardHref, logFileHref, unfilteredHref, type DashboardView, type DateErrors } from "./log-view.ts";
import { HowToEarn } from "./how-to-earn.tsx";
import { PointsLogFilters } from "./points-log-filters.tsx";
import { Link } from "../ui/link.tsx";

type PointsLogCardProps = {
  log: PointsLog;
  /** The view that the page's address asks for. */
  view: DashboardView;
  dateErrors?: DateErrors;
  /** The server's clock when the page was rendered, in milliseconds. */
  now: number;
};

/** Lists every change of the member's points, newest first. Filters them by category and date. */
export function PointsLogCard({ log, view, dateErrors, now }: PointsLogCardProps) {
  const { data: entries, total } = log;
  const open = view.entry;
  return (
    <Card
      title="Points log"
      padded={false}
      said={dashboardHref(view) + JSON.stringify(dateErrors)}
      aside={<PointsLogFilters view={view} dateErrors={dateErrors} now={now} />}
    >
      {open && !entries.some(({ id }) => id === open) && <Elsewhere id={open} view={view} />}
      {entries.length > 0 ? <Entries entries={entries} view={view} /> : <Nothing log={log} view={view} />}
      {total > 0 && <Footer log={log} view={view} />}
      {total > 0 && <DaysNote />}
      <GoneNote log={log} view={view} />
    </Card>
  );
}

/** Says which time zones apply. Until the page is interactive, its times are in UTC and say so. */
const DaysNote = () => (
  <p className="border-t border-line px-4.5 py-2.5 text-hint text-ink-3">
    <span className="noscript:hidden">Times are in your time zone. </span>
    Charts and dates use UTC days.
  </p>
);

/** Shown if the dates go back to heartbeats whose rows no longer exist. */
function GoneNote({ log, view }: Pick<PointsLogCardProps, "log" | "view">) {
  const since = findUnlisted(log, view);
  return (
    since && (
      <p className="border-t border-line px-4.5 py-2.5 text-hint text-ink-3">
        Heartbeats before {formatDay(since)} are no longer listed one by one. Your totals and charts still count them.
      </p>
    )
  );
}

/** Returns since when heartbeats are listed, if older ones would belong in this log. */
function findUnlisted({ heartbeatsSince }: PointsLog, { log }: DashboardView): string | null {
  const { category = "Connectivity", startDate = "" } = log;
  const belong = category === "Connectivity" && heartbeatsSince && startDate < heartbeatsSince.slice(0, 10);
  return belong ? heartbeatsSince : null;
}

type ViewProps = Pick<PointsLogCardProps, "view">;

/** Returns the address of the page with another entry open, or none. */
const entryHref = (view: DashboardView, entry?: string) => dashboardHref({ ...view, entry });

/** Shows the entry that the address names if this page of the log does not have it. */
function Elsewhere({ id, view }: { id: string } & ViewProps) {
  return (
    <section
      id={`why-${id}`}
      aria-label="The entry you opened"
      className="border-t border-line bg-sunken px-4.5 py-3.5"
    >
      <OpenEntry id={id} />
      <Link
        to={entryHref(view)}
        preventScrollReset
        replace
        aria-controls={`why-${id}`}
        className="mt-2.5 inline-block text-small underline"
      >
        Close
      </Link>
    </section>
  );
}

const rowIdOf = ({ id }: PointsLogEntry) => id && `entry-${id}`;

function Entries({ entries, view }: { entries: PointsLogEntry[] } & ViewProps) {
  return (
    <Table
      caption="Points log"
      columns={listColumns(view)}
      rows={entries}
      rowKey={({ id }) => id}
      rowId={rowIdOf}
      rowClass={({ id }) => (id ? "log-row" : "")}
      below={explainOpen(view)}
    />
  );
}

const listColumns = (view: DashboardView): Column<PointsLogEntry>[] => [
  { head: "Category", cell: ({ category }) => <CategoryMark category={category} /> },
  { head: "Comment", cell: (entry) => <Comment entry={entry} view={view} />, className: "log-comment" },
  {
    head: "When",
    cell: ({ timestamp }) => <Time dateTime={timestamp} />,
    className: "log-time",
  },
  { head: "Points", cell: (entry) => <Amount entry={entry} view={view} />, align: "end", className: "num" },
];

const explainOpen =
  (view: DashboardView) =>
  ({ id }: PointsLogEntry) =>
    id &&
    id === view.entry && (
      <tr id={`why-${id}`} className="border-b border-line bg-sunken last:border-b-0">
        <td colSpan={4} className="px-4.5 pt-1.5 pb-4">
          <OpenEntry id={id} />
        </td>
      </tr>
    );

/** Opens and closes its row, with a link that stretches over the row. An entry without an id cannot be opened. */
function Comment({ entry, view }: { entry: PointsLogEntry } & ViewProps) {
  const { comment, id } = entry;
  const hydrated = useHydrated();
  if (!id) return comment;
  const isOpen = id === view.entry;
  return (
    <Link
      // The row where a newly loaded page starts.
      to={`${entryHref(view, isOpen ? undefined : id)}#${rowIdOf(entry)}`}
      preventScrollReset
      replace
      aria-expanded={isOpen}
      aria-controls={isOpen ? `why-${id}` : undefined}
      // Says which row the link is for, because many comments are the same. Not in the server's HTML, where the
      // description would be long and have a time in UTC.
      aria-describedby={hydrated ? rowIdOf(entry) : undefined}
    >
      {comment}
    </Link>
  );
}

/** Shows the points of a row, and at its end whether the row is open. Both line up, however long the comments are. */
function Amount({ entry: { id, points }, view }: { entry: PointsLogEntry } & ViewProps) {
  return (
    <span className="log-amount">
      {formatChange(points)}
      {id && <Icon name="down" className={id === view.entry ? "rotate-180" : ""} />}
    </span>
  );
}

function Footer({ log: { total, pointsTotal }, view: { range, log } }: Pick<PointsLogCardProps, "log" | "view">) {
  return (
    <Pager
      label="Pages of the points log"
      page={log.page}
      pageSize={log.limit}
      total={total}
      hrefFor={(page) => dashboardHref({ range, log: { ...log, page } })}
    >
      {/* A backend that sends no sum has no file, either: both go beyond the specification. */}
      {typeof pointsTotal === "number" && (
        <>
          <span className="num">
            Sum <span className="text-ink">{formatChange(pointsTotal)}</span>
          </span>
          <Link to={logFileHref(log)} reloadDocument className="underline hover:text-ink">
            Download as CSV
          </Link>
        </>
      )}
    </Pager>
  );
}

function Nothing({ log, view }: Pick<PointsLogCardProps, "log" | "view">) {
  const { category, startDate, endDate } = view.log;
  // Members who had points before must not read that they have none.
  const hasUnlisted = findUnlisted(log, view) !== null;
  if (!category && !startDate && !endDate)
    return hasUnlisted ? null : (
      <EmptyState title="No points yet" text="Your first points appear here when your node sends a heartbeat.">
        <HowToEarn />
      </EmptyState>
    );
  return (
    <EmptyState
      title={
        startDate || endDate
          ? `No ${hasUnlisted ? "entries" : "points"} on these dates`
          : hasUnlisted
            ? "No entries from Connectivity"
            : `No points from ${category} yet`
      }
      text={
        startDate || endDate
          ? "Pick a wider range, or clear the filters."
          : "Pick another category, or clear the filters."
      }
    >
      <ButtonLink to={unfilteredHref(view)} preventScrollReset variant="quiet">
        Clear filters
      </ButtonLink>
    </EmptyState>
  );
}
