import type { PointsBreakdownEntry } from "../../server/points/contract.ts";
import { Card } from "../ui/card.tsx";
import { DonutChart } from "../ui/chart/donut-chart.tsx";
import { categoryStyle } from "../points/categories.ts";

/** Shows which categories the member's points come from. */
export function BreakdownCard({ breakdown }: { breakdown: PointsBreakdownEntry[] }) {
  const slices = breakdown.map(({ category, value }) => ({
    label: capitalise(category ?? "Uncategorised"),
    // An unknown value is not zero.
    value: value ?? Number.NaN,
    ...categoryStyle(category),
  }));
  return (
    <Card title="Points by category">
      <DonutChart
        title="Points by category"
        sliceHead="Category"
        slices={slices}
        emptyText="No points yet. You earn them with heartbeats, friends and rewards."
      />
    </Card>
  );
}

const capitalise = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
