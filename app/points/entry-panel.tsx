import { useEffect, useRef, type ReactNode } from "react";
import type { PointsLogDetail } from "../../server/points/contract.ts";
import { MissingPart } from "../ui/data-card.tsx";
import { Guard } from "../ui/guard.tsx";
import { formatChange, formatNumber } from "../ui/number/number.ts";
import { formatUtc, Time } from "../ui/time.tsx";
import { Link } from "../ui/link.tsx";

type EntryPanelProps = { detail: PointsLogDetail };

/** Explains a row of the points log: what happened, the rule that counted it, and the points after it. */
export function EntryPanel({ detail }: EntryPanelProps) {
  return (
    <Guard data={detail} fallback={<MissingPart />}>
      {(known) => <Facts detail={known} />}
    </Guard>
  );
}

function Facts({ detail }: EntryPanelProps) {
  const { category, categoryTotal, comment, points, runningTotal } = detail;
  return (
    <dl
      ref={useShownOnArrival()}
      aria-label={`Why ${formatChange(points)}: ${comment}`}
      className="grid grid-cols-[auto_1fr] gap-x-5 gap-y-2.25 text-small"
    >
      <Source detail={detail} />
      <Fact name="Rule">
        <Rule {...detail.rule} />
      </Fact>
      <Fact name="New total">
        <b className="font-strong text-ink">{formatNumber(runningTotal)}</b>
        {Math.abs(runningTotal) === 1 ? " point, " : " points, "}
        <b className="font-strong text-ink">{formatNumber(categoryTotal)}</b> of them from {category}
      </Fact>
    </dl>
  );
}

let isShown = false;

/** Scrolls to the open row when a page loads with it. A row that is opened later stays in its place. */
function useShownOnArrival() {
  const ref = useRef<HTMLDListElement>(null);
  useEffect(() => {
    const [document] = performance.getEntriesByType("navigation");
    const isArrival = !isShown && !location.hash && document?.name === location.href;
    isShown = true;
    if (isArrival) ref.current?.scrollIntoView({ block: "center" });
  }, []);
  return ref;
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-ink-3">{name}</dt>
      <dd className="min-w-0 wrap-anywhere text-ink-2">{children}</dd>
    </>
  );
}

function Source({ detail: { postedAt, source, timestamp } }: EntryPanelProps) {
  const { kind, name, occurredAt, title } = source;
  const page = PAGES[kind];
  return (
    <>
      <Fact name="Event">
        {name ? (
          <>
            {title}: <span className="text-ink">{name}</span>
          </>
        ) : (
          title
        )}
        {page && (
          <>
            {" · "}
            <Link to={page.href} className={linkClass}>
              {page.label}
            </Link>
          </>
        )}
      </Fact>
      <Fact name="Happened">
        <Time dateTime={occurredAt ?? timestamp} />
        {occurredAt && !areSameMinute(occurredAt, timestamp) && (
          <>
            , claimed <Time dateTime={timestamp} />
          </>
        )}
        {!areSameMinute(timestamp, postedAt) && (
          <>
            , posted <Time dateTime={postedAt} />
          </>
        )}
      </Fact>
    </>
  );
}

/** Returns whether two times look the same when formatted. */
const areSameMinute = (one: string, other: string) => formatUtc(one) === formatUtc(other);

/** The page that shows what an event belongs to, by kind of event. */
const PAGES: Partial<Record<string, { label: string; href: string }>> = {
  heartbeat: { label: "Your machines", href: "/profile#devices" },
  referral: { label: "Referrals", href: "/referrals" },
  campaign: { label: "Rewards", href: "/rewards" },
  content: { label: "Agent Insights", href: "/agentinsights" },
};

const linkClass = "text-ink underline hover:no-underline";

/** Shows a rule in words. Its title has its name and version, for those who look for them, such as our support. */
const Rule = ({ name, text, version }: PointsLogDetail["rule"]) => (
  <span title={`${name}, version ${version}`}>{text ?? "This rule is no longer in use."}</span>
);
