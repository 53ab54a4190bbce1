import { useRead } from "../cache/query-provider.tsx";
import { useQuery } from "../cache/use-query.ts";
import { useLive } from "../live/live-state.ts";
import { statsQuery } from "../points/reads.ts";

/** How often the open dashboard asks for new points while none arrive by themselves, in milliseconds. */
const EVERY_MS = 5000;

/** The member's stats, kept current while the page is visible. What has changed along with them is read again, too. */
export function useLiveStats() {
  const read = useRead();
  const isLive = useLive();
  const { data: stats } = useQuery({ ...statsQuery(read), refetchInterval: isLive ? false : EVERY_MS });
  return stats;
}
