import type { QueryClient } from "@tanstack/react-query";
import type { LivePart } from "../../server/live/contract.ts";
import { noteNews } from "../cache/hydrate-reads.tsx";
import { refreshReads } from "../cache/query-client.ts";
import { statsQuery } from "../points/reads.ts";
import type { LiveNews } from "./event-stream.ts";

/** Everything that may have changed. The stats themselves come with the news. */
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
 * Puts news into the cache: the stats as they are. Whatever else has changed is read again where it is shown. News says
 * what has changed since the previous news (`on`). The very first news (`nothing`) cannot: if its stats differ from
 * those in the cache, anything may have changed. The same holds after news was missed (`others`).
 */
export function applyNews(client: QueryClient, { changed, stats }: LiveNews, follows: "on" | "nothing" | "others") {
  // A read that is under way was requested before the news, and would replace it.
  void client.cancelQueries({ queryKey: STATS });
  const before = client.getQueryData(STATS);
  // Equal data stays the same object.
  const differs = client.setQueryData(STATS, stats) !== before;
  if (follows === "on") refresh(client, changed);
  else if (differs || follows === "others") refreshAll(client);
}

const STATS = [statsQuery.path, {}];

/** Reads again everything that may have changed along with the stats. */
export function refreshAll(client: QueryClient): void {
  refresh(client, Object.values(EVERYTHING));
}

function refresh(client: QueryClient, changed: readonly LivePart[]) {
  noteNews();
  void refreshReads(client, ...changed);
}
