import type { PointsBreakdownEntry } from "../../server/points/contract.ts";
import { Card } from "../ui/card.tsx";
import { DonutChart } from "../ui/chart/donut-chart.tsx";
import { categoryLook } from "../points/categories.ts";

/** Which categories the member's points come from. */
export function BreakdownCard({ breakdown }: { breakdown: PointsBreakdownEntry[] }) {
  const slices = breakdown.map(({ category, value }) => ({
    label: capitalise(category ?? "Uncategorised"),
    value: value ?? 0,
    ...categoryLook(category),
  }));
  return (
    <Card title="Where they come from">
      <DonutChart
        title="Points by category"
        sliceHead="Category"
        slices={slices}
        emptyText="No points yet. Heartbeats, friends and rewards bring them."
      />
    </Card>
  );
}

const capitalise = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
