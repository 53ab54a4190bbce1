import type { QueryClient } from "@tanstack/react-query";
import type { LivePart } from "../../server/live/contract.ts";
import { noteNews } from "../cache/carried-reads.tsx";
import { refreshReads } from "../cache/query-client.ts";
import { statsQuery } from "../points/reads.ts";
import type { LiveNews } from "./event-stream.ts";

/** All that may have changed; the stats themselves come with the news. */
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
 * Puts news into the cache: the stats as they are; whatever else has changed is read again where it is shown. News say
 * what has changed since those before (`on`). The first ones of all (`nothing`) cannot: other stats than those in the
 * cache then mean that anything may have changed. After news that were missed (`others`) anything may have changed.
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
