import type { PointsDay, PointsRange } from "../../server/points/contract.ts";
import { Card } from "../ui/card.tsx";
import { BarChart, type ChartSeries } from "../ui/chart/bar-chart.tsx";
import { EmptyState } from "../ui/empty-state.tsx";
import { formatCount, formatNumber } from "../ui/number/number.ts";
import { SegmentedLinks } from "../ui/table/segmented-links.tsx";
import { formatDayOfYear } from "../ui/time.tsx";
import { categoryStyle } from "../points/categories.ts";
import { CATEGORIES, RANGES } from "../points/log-view.ts";
import { HowToEarn } from "../points/how-to-earn.tsx";

const SERIES: ChartSeries[] = CATEGORIES.map((label) => ({
  key: label.toLowerCase(),
  label,
  fill: categoryStyle(label).fill,
}));

type HistoryCardProps = {
  range: PointsRange;
  days: PointsDay[];
  average: number;
  /** Returns the address of a range. Everything else on the page stays as it is. */
  hrefFor: (range: PointsRange) => string;
};

/** Returns whether a day has any points. Its total may be zero because points were taken back. */
const hasPoints = ({ connectivity, referral, rewards, total }: PointsDay) =>
  [connectivity, referral, rewards, total].some((points) => points !== 0);

/** Shows points by day over 7, 30 or 90 days. Days are UTC days. */
export function HistoryCard({ range, days, average, hrefFor }: HistoryCardProps) {
  const title = `Points, last ${RANGES.find((candidate) => candidate.range === range)?.days ?? days.length} days`;
  const segments = RANGES.map((entry) => ({
    label: `${entry.days} days`,
    href: hrefFor(entry.range),
    current: entry.range === range,
  }));

  return (
    <Card title={title} aside={<SegmentedLinks label="Range of the chart" segments={segments} />}>
      {days.some(hasPoints) ? (
        <BarChart
          title={title}
          description={describe(days, average)}
          series={SERIES}
          bars={days.map(toBar)}
          average={average}
          barHead="Day"
          totalHead="Total"
        />
      ) : (
        <EmptyState title="No points on these days" text="Points that you earn appear here.">
          <HowToEarn />
        </EmptyState>
      )}
    </Card>
  );
}

function toBar(day: PointsDay) {
  const { connectivity, referral, rewards, total } = day;
  // The part of the total beyond the three named categories. Rounded, because sums of decimals have tiny errors.
  const others = Math.round((total - connectivity - referral - rewards) * 100) / 100;
  return { label: formatDayOfYear(day.date), values: { connectivity, referral, rewards, others }, total };
}

function describe(days: PointsDay[], average: number): string {
  const best = days.reduce<PointsDay | undefined>((top, day) => (top && top.total >= day.total ? top : day), undefined);
  if (!best) return "";
  return `${formatCount(average, "point")} a day on average. The best day is ${formatDayOfYear(best.date)} with ${formatNumber(best.total)}.`;
}
