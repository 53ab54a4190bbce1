import { brand } from "../../brand.ts";
import { formatNumber } from "../ui/number/number.ts";

/** Describes an invitation link for a preview. `points` is what the code is worth, or null while that is unknown. */
export function describeInvitation(code: string, points: number | null) {
  return {
    code,
    path: `/auth/signup?${new URLSearchParams({ referralCode: code })}`,
    title: `You are invited to ${brand.name}`,
    description: `Join with the code ${code} and start with ${points === null ? "" : `${formatNumber(points)} `}extra points.`,
  };
}
