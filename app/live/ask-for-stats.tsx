import { useRead } from "../cache/query-provider.tsx";
import { useQuery } from "../cache/use-query.ts";
import { statsQuery } from "../points/reads.ts";
import { useLive } from "./live-state.ts";

/**
 * Asks for the member's totals every so many milliseconds while none arrive by themselves; hidden, it does not ask. It
 * is a component of its own so that nothing else is drawn again when news begins to arrive, while the page still comes
 * to life.
 */
export function AskForStats({ every }: { every: number }) {
  const read = useRead();
  const isLive = useLive();
  useQuery({ ...statsQuery(read), refetchInterval: isLive ? false : every });
  return null;
}
