import { useId } from "react";
import type { State, StatusPart, StatusReport } from "../../server/status/contract.ts";
import { Card } from "../ui/card.tsx";
import { Icon } from "../ui/icon.tsx";
import { Link } from "../ui/link.tsx";
import { formatNumber } from "../ui/number/number.ts";
import { Pill, type PillTone } from "../ui/pill.tsx";
import { formatUtc } from "../ui/time.tsx";
import { HEIGHT, type DayGrade } from "./draw-days.ts";
import { IncidentList, type IncidentView } from "./incident-list.tsx";

type DrawnGrade = { grade: DayGrade; path: string };
type DrawnPart = Omit<StatusPart, "days"> & { bars: DrawnGrade[]; words: string[] };
type StatusPageProps = Omit<StatusReport, "parts" | "incidents"> & {
  /** How many days the history has, including today. */
  historyDays: number;
  legend: DrawnGrade[];
  parts: DrawnPart[];
  incidents: IncidentView[];
};

const isOpen = ({ resolvedAt }: IncidentView) => resolvedAt === null;

/** Shows the current state, the history, and what was published about incidents. */
export function StatusPage({ at, history, incidents, isReadOnly, historyDays, legend, parts, state }: StatusPageProps) {
  const open = incidents.filter(isOpen);
  return (
    <div className="grid max-w-190 gap-4.5">
      <section className="card flex flex-wrap items-center gap-x-3 gap-y-1 px-4.5 py-4">
        <Icon name={state === "up" ? "check" : "alert"} className={`size-5 shrink-0 ${SIGNS[state]}`} />
        <h2 className="min-w-0 grow basis-40 text-heading font-bold">{HEADLINES[state]}</h2>
        <p className="num text-hint text-ink-2">
          As of <time dateTime={at}>{formatUtc(at)}</time>
        </p>
        {isReadOnly && (
          <p className="basis-full text-small">
            Everything can be read, but nothing can be changed or recorded right now.
          </p>
        )}
        {NOTES[history] && <p className="basis-full text-small text-ink-2">{NOTES[history]}</p>}
      </section>
      {open.length > 0 && (
        <Card title="Current incidents">
          <IncidentList incidents={open} />
        </Card>
      )}
      <Card
        title={history === "none" ? "Parts" : `Parts, last ${historyDays} days`}
        aside={history !== "none" && <Legend grades={legend} />}
      >
        <ul className="grid gap-5">
          {parts.map((part) => (
            <Part key={part.id} historyDays={historyDays} {...part} />
          ))}
        </ul>
      </Card>
      {history !== "none" && (
        <Card title={`Incidents of the last ${historyDays} days`}>
          {incidents.some((each) => !isOpen(each)) ? (
            <IncidentList incidents={incidents.filter((each) => !isOpen(each))} />
          ) : (
            <p className="text-ink-2">No past incidents.</p>
          )}
        </Card>
      )}
      <p className="text-hint text-ink-2">
        All times are in UTC. Programs can read the same data at{" "}
        <Link to="/status.json" reloadDocument className="underline">
          /status.json
        </Link>
        .
      </p>
    </div>
  );
}

const HEADLINES: Record<State, string> = {
  up: "Everything works",
  degraded: "Some things are slow or failing",
  down: "Something is down",
  unknown: "Some things cannot be checked right now",
};

const SIGNS: Record<State, string> = {
  up: "text-good",
  degraded: "text-warn",
  down: "text-pulse-ink",
  unknown: "text-ink-2",
};

const NOTES: Record<StatusReport["history"], string | undefined> = {
  current: undefined,
  stale: "History cannot be brought up to date right now. Days and incidents below may be out of date.",
  none: "This server passes requests on to another one. It keeps no history and only knows whether that one answers.",
};

const WORDS: Record<State, [tone: PillTone, words: string]> = {
  up: ["good", "Up"],
  degraded: ["warn", "Slow or failing"],
  down: ["warn", "Down"],
  unknown: ["mute", "Unknown"],
};

type PartProps = DrawnPart & Pick<StatusPageProps, "historyDays">;

function Part({ bars, historyDays, name, lagSeconds, state, uptime, words }: PartProps) {
  const [tone, word] = WORDS[state];
  const describedBy = useId();
  return (
    <li className="grid gap-2">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <h3 className="font-strong">{name}</h3>
        {lagSeconds !== null && <span className="text-hint text-ink-2">recorded within {formatLag(lagSeconds)}</span>}
        <span className="ms-auto">
          <Pill tone={tone}>{word}</Pill>
        </span>
      </div>
      {words.length > 0 && (
        <>
          <svg
            // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- an inline drawing cannot be an img element
            role="img"
            aria-label={`${name}, the last ${historyDays} days`}
            aria-describedby={describedBy}
            viewBox={`0 0 ${historyDays} ${HEIGHT}`}
            preserveAspectRatio="none"
            height={HEIGHT}
            className="w-full"
          >
            {bars.map(({ grade, path }) => (
              <path key={grade} d={path} className={FILLS[grade]} />
            ))}
          </svg>
          <div className="flex flex-wrap justify-between gap-x-4 text-hint text-ink-2">
            <p id={describedBy}>{uptime === null ? "Not measured yet" : `Up ${formatNumber(uptime)} % of the time`}</p>
            <details>
              <summary className="rounded-tag text-ink-3 hover:text-ink">
                Day by day
                <span className="sr-only"> {name}</span>
              </summary>
              <ul className="num mt-1.5 grid gap-0.5">
                {words.map((each) => (
                  <li key={each}>{each}</li>
                ))}
              </ul>
            </details>
          </div>
        </>
      )}
    </li>
  );
}

const formatLag = (seconds: number) =>
  seconds < 1 ? `${Math.round(seconds * 1000)} ms` : `${formatNumber(seconds)} s`;

const FILLS: Record<DayGrade, string> = {
  up: "fill-good",
  degraded: "fill-warn",
  down: "fill-pulse forced-colors:fill-ink",
  none: "fill-line-strong",
};

const GRADE_LABELS: Record<DayGrade, string> = {
  up: "Up",
  degraded: "Slow or failing",
  down: "Down for a while",
  none: "No data",
};

/** Explains the bars. */
function Legend({ grades }: { grades: DrawnGrade[] }) {
  return (
    <ul className="flex flex-wrap gap-x-4 gap-y-1 text-hint text-ink-2" aria-hidden>
      {grades.map(({ grade, path }) => (
        <li key={grade} className="flex items-baseline gap-1.5">
          <svg width="6" height="14">
            <path d={path} className={FILLS[grade]} />
          </svg>
          {GRADE_LABELS[grade]}
        </li>
      ))}
    </ul>
  );
}
