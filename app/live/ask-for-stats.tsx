import { useRead } from "../cache/query-provider.tsx";
import { useQuery } from "../cache/use-query.ts";
import { statsQuery } from "../points/reads.ts";
import { useLive } from "./live-state.ts";

/**
 * Asks for the member's totals every so many milliseconds while none arrive by themselves; hidden, it does not ask. A part
 * of its own: that news begin to arrive, which is while a page comes to life, draws nothing else again.
 */
export function AskForStats({ every }: { every: number }) {
  const read = useRead();
  const isLive = useLive();
  useQuery({ ...statsQuery(read), refetchInterval: isLive ? false : every });
  return null;
}
