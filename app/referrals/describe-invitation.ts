import { brand } from "../../brand.ts";
import { formatNumber } from "../ui/number/number.ts";

/** What a link with a code shows where it is sent to; `points` is null while nobody knows what the code is worth. */
export function describeInvitation(code: string, points: number | null) {
  return {
    code,
    path: `/auth/signup?${new URLSearchParams({ referralCode: code })}`,
    title: `You are invited to ${brand.name}`,
    description: `Join with the code ${code} and start with ${points === null ? "" : `${formatNumber(points)} `}extra points.`,
  };
}
