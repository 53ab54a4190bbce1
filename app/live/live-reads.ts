import type { QueryClient } from "@tanstack/react-query";
import type { LivePart } from "../../server/live/contract.ts";
import { noteNews } from "../cache/carried-reads.tsx";
import { refreshReads } from "../cache/query-client.ts";
import { statsQuery } from "../points/reads.ts";
import type { LiveNews } from "./event-stream.ts";

/** Whatever may have changed; the stats come with the news. */
const EVERYTHING: { [Part in LivePart]: Part } = {
  points: "points",
  heartbeats: "heartbeats",
  referrals: "referrals",
  content: "content",
  rewards: "rewards",
  profile: "profile",
  "machine-id": "machine-id",
};

/**
 * Puts news into the cache: the stats as they are; whatever else has changed is read again where it is shown. Of the
 * news that follow on nothing, or not on those before, only the stats tell whether, or cannot tell what, has changed.
 */
export function applyNews(client: QueryClient, { changed, stats }: LiveNews, follows: "on" | "nothing" | "others") {
  // What is on its way was asked for before them, and would take their place.
  void client.cancelQueries({ queryKey: STATS });
  const before = client.getQueryData(STATS);
  // Equal data stays the same object.
  const differs = client.setQueryData(STATS, stats) !== before;
  if (follows === "on") refresh(client, changed);
  else if (differs || follows === "others") refreshAll(client);
}

const STATS = [statsQuery.path, {}];

/** Reads again whatever may have changed along with the stats. */
export function refreshAll(client: QueryClient): void {
  refresh(client, Object.values(EVERYTHING));
}

function refresh(client: QueryClient, changed: readonly LivePart[]) {
  noteNews();
  void refreshReads(client, ...changed);
}
