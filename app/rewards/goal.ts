import type { Uptime } from "../../server/heartbeats/contract.ts";
import type { UserStats } from "../../server/points/contract.ts";
import { uptimeQuery, WEEK } from "../agent-insights/reads.ts";
import { useRead } from "../cache/query-provider.tsx";
import { useQuery } from "../cache/use-query.ts";
import { statsQuery } from "../points/reads.ts";
import { formatNumber } from "../ui/number/number.ts";

/** What a campaign asks for that the product shows itself: where that is, and how far the member is with it. */
export type Goal = { to: string; action: string; progress: string | null };

type Known = { stats: UserStats | undefined; uptime: Uptime | null | undefined };

/**
 * By the type of the campaign, as its administrator gave it (docs/operations.md). Null for what has a form elsewhere.
 */
function findGoal(type: string, { stats, uptime }: Known): Goal | null {
  const [, friends] = /^(\d{1,4}) friends$/.exec(type) ?? [];
  if (friends) return { to: "/referrals", action: "Invite friends", progress: countFriends(stats, Number(friends)) };
  if (type === "uptime") return { to: "/agentinsights", action: "See your uptime", progress: describeUptime(uptime) };
  if (type === "profile") return { to: "/profile", action: "Open profile", progress: null };
  return null;
}

/** Friends count once their points are claimed; where the backend does not tell which are, once they have joined. */
function countFriends(stats: UserStats | undefined, wanted: number): string | null {
  if (!stats) return null;
  const reached = Math.min(stats.successful_referrals ?? stats.total_referrals, wanted);
  return `${formatNumber(reached)} of ${formatNumber(wanted)}`;
}

function describeUptime(uptime: Uptime | null | undefined): string | null {
  if (!uptime) return null;
  return uptime.percent === null
    ? "No heartbeats yet"
    : `${formatNumber(Math.floor(uptime.percent))} % uptime in the last 7 days`;
}

/**
 * What a campaign asks for, and how far the member is. The page is there before the uptime, which the browser asks for.
 */
export function useGoal(type: string): Goal | null {
  const read = useRead();
  const { data: stats } = useQuery(statsQuery(read));
  const { data: uptime } = useQuery({ ...uptimeQuery(read, WEEK), enabled: type === "uptime" });
  return findGoal(type, { stats, uptime });
}
