import { useState, type ReactNode } from "react";
import type { JobsDay } from "../../server/agent-insights/contract.ts";
import { Card } from "../ui/card.tsx";
import { SparkBars } from "../ui/chart/spark-bars.tsx";
import { ValueTable } from "../ui/chart/value-table.tsx";
import { EmptyState } from "../ui/empty-state.tsx";
import { formatCount, formatNumber } from "../ui/number/number.ts";
import { formatDayOfYear } from "../ui/time.tsx";
import { formatSize } from "./format-size.ts";

type Measure = { key: Exclude<keyof JobsDay, "date">; label: string; format: (value: number) => string };

const MEASURES: Measure[] = [
  { key: "jobs", label: "Jobs", format: formatNumber },
  { key: "points", label: "Points", format: formatNumber },
  { key: "resultSize", label: "Result size", format: formatSize },
  { key: "profiles", label: "Profiles", format: formatNumber },
  { key: "comments", label: "Comments", format: formatNumber },
  { key: "posts", label: "Posts", format: formatNumber },
];

type JobsCardProps = { title: string; days: JobsDay[]; aside?: ReactNode; emptyText: string };

/** Shows jobs and what they gathered by UTC day, with a small chart for each measure. */
export function JobsCard({ title, days, aside, emptyText }: JobsCardProps) {
  if (days.every(({ jobs }) => jobs === 0)) {
    return (
      <Card title={title} aside={aside} padded={false}>
        <EmptyState title="No jobs on these days" text={emptyText} />
      </Card>
    );
  }
  return (
    <Card title={title} aside={aside}>
      <div className="grid gap-x-7 gap-y-6 @md/page:grid-cols-2 @3xl/page:grid-cols-3">
        {MEASURES.map((measure) => (
          <SmallMultiple key={measure.key} measure={measure} days={days} />
        ))}
      </div>
      <ValueTable
        caption={title}
        barHead="Day"
        series={MEASURES.map(({ key, label }) => ({ key, label: key === "resultSize" ? `${label}, bytes` : label }))}
        bars={days.map(({ date, ...values }) => ({ label: formatDayOfYear(date), values }))}
      />
    </Card>
  );
}

/**
 * Shows one measure: its sum over the days, or the value of the day under the pointer. Its highest value sets the
 * scale.
 */
function SmallMultiple({ measure: { key, label, format }, days }: { measure: Measure; days: JobsDay[] }) {
  const [pointed, setPointed] = useState<number | null>(null);
  const day = pointed === null ? undefined : days[pointed];
  const values = days.map((each) => each[key]);
  const sum = values.reduce((total, value) => total + value, 0);
  const best = days.reduce((top, each) => (each[key] > top[key] ? each : top));
  const description =
    sum === 0
      ? "None on these days."
      : `${format(sum)} in ${formatCount(days.length, "day")}; the most is ${format(best[key])}, on ${formatDayOfYear(best.date)}.`;
  return (
    <figure className="grid gap-2">
      <figcaption className="flex items-baseline justify-between gap-2">
        <span className="label">{label}</span>
        <span className="num font-strong">
          {day ? `${formatDayOfYear(day.date)}: ${format(day[key])}` : `${format(sum)} in all`}
        </span>
      </figcaption>
      <div className="grid grid-cols-[auto_1fr] gap-x-2 text-label text-ink-3">
        <span aria-hidden className="num flex min-w-10 flex-col justify-between text-end leading-none">
          {sum > 0 && <span>{format(best[key])}</span>}
          <span className="mt-auto">0</span>
        </span>
        <SparkBars title={label} description={description} values={values} onPoint={setPointed} />
        <span aria-hidden className="num col-start-2 flex justify-between pt-1">
          <span>{formatDayOfYear(days[0]?.date ?? "")}</span>
          <span>{formatDayOfYear(days.at(-1)?.date ?? "")}</span>
        </span>
      </div>
    </figure>
  );
}
