import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { statsQuery } from "../api/queries.ts";
import { useRead } from "../api/query-provider.tsx";
import type { ReadName } from "../api/reads.ts";

/** How often the open dashboard asks for new points, in milliseconds. Hidden, it does not ask at all. */
const EVERY_MS = 5000;

/** What changes along with the stats. */
const FOLLOWERS: ReadName[] = ["points-history", "points-log", "content-points"];

/** The member's stats, kept current while the page is visible; chart and lists are read again when they change. */
export function useLiveStats() {
  const read = useRead();
  const client = useQueryClient();
  const { data: stats } = useQuery({ ...statsQuery(read), refetchInterval: EVERY_MS });

  // Unchanged stats stay the same object, however often they are read.
  const shown = useRef(stats);
  useEffect(() => {
    const changed = shown.current && stats && shown.current !== stats;
    shown.current = stats;
    if (changed) for (const name of FOLLOWERS) void client.invalidateQueries({ queryKey: [name] });
  }, [client, stats]);

  return stats;
}
