import { useRead } from "../cache/query-provider.tsx";
import { useQuery } from "../cache/use-query.ts";
import { statsQuery } from "../points/reads.ts";
import { useLive } from "./live-state.ts";

/**
 * Asks for the member's totals every `every` milliseconds while no live news arrives, unless the page is hidden. A
 * separate component, so that nothing else renders again when news begins to arrive while the page is still hydrating.
 */
export function PollStats({ every }: { every: number }) {
  const read = useRead();
  const isLive = useLive();
  useQuery({ ...statsQuery(read), refetchInterval: isLive ? false : every });
  return null;
}
