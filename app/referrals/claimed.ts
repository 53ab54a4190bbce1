import { formatCount } from "../ui/number/number.ts";

/**
 * The result of a claim for all friends: how many friends and points were claimed, how many claims failed, and whether
 * there are more friends than one form claims.
 */
export type Claimed = { friends: number; points: number; failed: number; hasMore: boolean };

const FIGURES = /^(\d{1,3}) (\S{1,30}) (\d{1,3}) ([01])$/;

export const writeClaimed = ({ friends, points, failed, hasMore }: Claimed): string =>
  `${friends} ${Math.round(points * 100) / 100} ${failed} ${Number(hasMore)}`;

/** Describes the result in words. Anybody can set a cookie, so anything but numbers is ignored. */
export function describeClaimed(figures: string): string {
  const [friends = 0, points = 0, failed = 0, more = 0] = FIGURES.exec(figures)?.slice(1).map(Number) ?? [];
  const lost = `The points for ${formatCount(failed, "friend")} could not be claimed. Please try again.`;
  const rest = failed > 0 ? lost : more > 0 ? "There is more to claim." : "";
  // Another tab was faster, or an attempt whose response got lost: the member has those points.
  if (friends === 0) return rest || "You have claimed everything that you can.";
  // A backend may not say what a friend is worth.
  const what = points > 0 && Number.isFinite(points) ? formatCount(points, "point") : "the points";
  return `You claimed ${what} for ${formatCount(friends, "friend")}. ${rest}`.trimEnd();
}
