import { useRead } from "../cache/query-provider.tsx";
import { useQuery } from "../cache/use-query.ts";
import { findStage } from "./stage.ts";
import { machineIdStatusQuery, machineIdentityQuery, smartAccountQuery } from "./reads.ts";

/** How often to ask again for an unfinished status, in milliseconds (product specification, section 9). */
export const POLL_MS = 10_000;

/** Returns both statuses, and the stage they make. Asks again while they can still change and the page is visible. */
export function useMachineId() {
  const read = useRead();
  const account = useQuery({
    ...smartAccountQuery(read),
    refetchInterval: ({ state }) => state.data?.status === "pending" && POLL_MS,
  });
  const machineId = useQuery({
    ...machineIdStatusQuery(read),
    refetchInterval: ({ state }) => state.data?.status !== "completed" && POLL_MS,
  });
  return { account, machineId, stage: findStage(account.data, machineId.data) };
}

/** Returns the finished Machine ID's record: undefined while it is being read, null if it cannot be had. */
export function useIdentity(isComplete: boolean) {
  const { data, isFetching } = useQuery({ ...machineIdentityQuery(useRead()), enabled: isComplete });
  return data?.data ?? (isFetching && !data ? undefined : null);
}
