import { useRead } from "../cache/query-provider.tsx";
import { useQuery } from "../cache/use-query.ts";
import { statsQuery } from "../points/reads.ts";
import { useLive } from "./live-state.ts";

/**
 * Asks for the member's totals every `every` milliseconds while no live news arrive. Does not ask while it is hidden. A
 * separate component, so that nothing else renders again when news begin to arrive while the page is still hydrating.
 */
export function AskForStats({ every }: { every: number }) {
  const read = useRead();
  const isLive = useLive();
  useQuery({ ...statsQuery(read), refetchInterval: isLive ? false : every });
  return null;
}
