import { useRead } from "../cache/query-provider.tsx";
import { useQuery } from "../cache/use-query.ts";
import { findStage } from "./stage.ts";
import { machineIdStatusQuery, machineIdentityQuery, smartAccountQuery } from "./reads.ts";

/** How often an unfinished status is asked for again, in milliseconds (product specification, section 9). */
export const POLL_MS = 10_000;

/** Both statuses, asked for again while they can still change and the page is visible, and the stage they make. */
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

/** The finished Machine ID's record: undefined while it is read, null where there is none to be had. */
export function useIdentity(isComplete: boolean) {
  const { data, isFetching } = useQuery({ ...machineIdentityQuery(useRead()), enabled: isComplete });
  return data?.data ?? (isFetching && !data ? undefined : null);
}
