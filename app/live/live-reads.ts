import type { QueryClient } from "@tanstack/react-query";
import type { LivePart } from "../../server/live/contract.ts";
import type { ReadName } from "../api/reads.ts";
import type { LiveNews } from "./event-stream.ts";

/** What is read of each part, besides the stats, which come with the news. */
const READS: Record<LivePart, ReadName[]> = {
  points: ["points-history", "points-log"],
  heartbeats: ["heartbeat-status", "smart-id-requirements", "uptime", "refused-beats", "devices"],
  referrals: ["referrals"],
  content: ["content-points", "data-stats", "daily-jobs", "network-jobs"],
  rewards: ["submissions", "heartbeat-status"],
  profile: ["user", "whitelist", "smart-id-requirements"],
  "machine-id": [
    "smart-account",
    "machine-id-status",
    "machine-identity",
    "machine-timeline",
    "smart-id-requirements",
    "wallet-change-eligibility",
  ],
};

/**
 * Puts news into the cache: the stats as they are; whatever else has changed is read again where it is shown. Of the
 * news that follow on nothing, or not on those before, only the stats tell whether, or cannot tell what, has changed.
 */
export function applyNews(client: QueryClient, { changed, stats }: LiveNews, follows: "on" | "nothing" | "others") {
  const before = client.getQueryData(["stats", {}]);
  // Equal data stays the same object.
  const differs = client.setQueryData(["stats", {}], stats) !== before;
  if (follows === "on")
    refresh(
      client,
      changed.map((part) => READS[part]),
    );
  else if (differs || follows === "others") refreshAll(client);
}

/** Reads again whatever may have changed along with the stats. */
export function refreshAll(client: QueryClient): void {
  refresh(client, Object.values(READS));
}

function refresh(client: QueryClient, lists: ReadName[][]) {
  const names = new Set<unknown>(lists.flat());
  void client.invalidateQueries({ predicate: ({ queryKey }) => names.has(queryKey[0]) });
}
