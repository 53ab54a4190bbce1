import { roundPoints } from "./amount.ts";
import type { PointsBreakdownEntry } from "./contract.ts";

/** CSS colour names, for clients without their own colours. */
const PARTS = [
  { category: "connectivity", color: "darkcyan" },
  { category: "referral", color: "blueviolet" },
  { category: "rewards", color: "goldenrod" },
  { category: "others", color: "slategray" },
] as const;
type Sums = Record<(typeof PARTS)[number]["category"], number>;

/**
 * Returns each category's share. Shares add up to 100 except for rounding. A category that corrections took below zero
 * has none.
 */
export function toBreakdown(sums: Sums): PointsBreakdownEntry[] {
  const earned = PARTS.reduce((sum, { category }) => sum + Math.max(0, sums[category]), 0);
  return PARTS.map(({ category, color }) => {
    const share = earned > 0 ? (100 * Math.max(0, sums[category])) / earned : 0;
    return { category, color, percentage: roundPoints(share), value: sums[category] };
  });
}
