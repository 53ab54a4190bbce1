import type { Uptime } from "../../server/heartbeats/contract.ts";
import type { UserStats } from "../../server/points/contract.ts";
import { uptimeQuery, WEEK } from "../agent-insights/reads.ts";
import { isYoung } from "../agent-insights/uptime-runs.ts";
import { useRead } from "../cache/query-provider.tsx";
import { useQuery } from "../cache/use-query.ts";
import { statsQuery } from "../points/reads.ts";
import { formatNumber } from "../ui/number/number.ts";

/** A campaign's task within the product: the page for it, and the member's progress. */
export type Goal = { to: string; action: string; progress: string | null };

type MemberFigures = { stats: UserStats | undefined; uptime: Uptime | null | undefined };

/**
 * Finds the goal of a campaign by its type, which an administrator sets (docs/operations.md). Returns null for a
 * campaign whose form is elsewhere.
 */
function findGoal(type: string, { stats, uptime }: MemberFigures): Goal | null {
  const [, friends] = /^(\d{1,4}) friends$/.exec(type) ?? [];
  if (friends) return { to: "/referrals", action: "Invite friends", progress: countFriends(stats, Number(friends)) };
  if (type === "uptime") return { to: "/agentinsights", action: "See your uptime", progress: describeUptime(uptime) };
  if (type === "profile") return { to: "/profile", action: "Open profile", progress: null };
  return null;
}

/** Counts friends whose points are claimed. If the backend does not say whose are, counts all who have joined. */
function countFriends(stats: UserStats | undefined, wanted: number): string | null {
  if (!stats) return null;
  const reached = Math.min(stats.successful_referrals ?? stats.total_referrals, wanted);
  return `${formatNumber(reached)} of ${formatNumber(wanted)}`;
}

function describeUptime(uptime: Uptime | null | undefined): string | null {
  if (!uptime) return null;
  if (uptime.percent === null) return "No heartbeats yet";
  const since = isYoung(uptime) ? "since the first heartbeat" : "in the last 7 days";
  return `${formatNumber(Math.floor(uptime.percent))} % uptime ${since}`;
}

/**
 * Returns a campaign's goal, with the member's progress. The page does not wait for the uptime, which the browser
 * reads.
 */
export function useGoal(type: string): Goal | null {
  const read = useRead();
  const { data: stats } = useQuery(statsQuery(read));
  const { data: uptime } = useQuery({ ...uptimeQuery(read, WEEK), enabled: type === "uptime" });
  return findGoal(type, { stats, uptime });
}
