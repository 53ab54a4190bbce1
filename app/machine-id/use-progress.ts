import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import type { MachineIdStatus, MachineTimeline, SmartAccountStatus } from "../../server/machine-id/contract.ts";
import { asText } from "../cache/as-text.ts";
import { useRead } from "../cache/query-provider.tsx";
import { useQuery } from "../cache/use-query.ts";
import { useRules } from "../points/use-rules.ts";
import { useWalletConnected } from "../wallet/wallet-state.ts";
import type { Requirements } from "./requirement-list.tsx";
import type { Stage } from "./stage.ts";
import { POLL_MS, useIdentity, useMachineId } from "./use-machine-id.ts";
import { machineTimelineQuery, smartIdRequirementsQuery } from "./reads.ts";

/** Everything known about a member's way to a Machine ID. */
export type Progress = {
  stage: Stage;
  account: SmartAccountStatus;
  machineId: MachineIdStatus;
  /** The address of the finished Machine ID. Null if there is none, undefined while it is being read. */
  address: string | null | undefined;
  requirements: Requirements;
  /** Null if the backend does not provide it. */
  timeline: MachineTimeline | null | undefined;
};

type ProgressState = {
  /** Null while it is unknown. */
  progress: Progress | null;
  /** Whether it cannot be read at the moment. */
  isUnknown: boolean;
  retry: () => void;
};

/**
 * Returns how far the member is. Asks again while something is under way.
 * @param again Whether to ask again even for what is fresh in the cache: a heartbeat may be the hundredth.
 */
export function useProgress({ again = false } = {}): ProgressState {
  const read = useRead();
  const { account, machineId, stage } = useMachineId();
  const refetchOnMount = again ? ("always" as const) : true;
  const needs = useQuery({ ...smartIdRequirementsQuery(read), refetchOnMount });
  const timeline = useTimeline(stage, refetchOnMount);
  const identity = useIdentity(stage === "complete");
  const address = identity && asText(identity.public_address);
  const walletConnected = useWalletConnected();
  const { heartbeatsRequired } = useRules();
  const isUnknown = account.isError || machineId.isError || needs.isError;
  const retry = () => void Promise.all([account, machineId, needs].map(({ refetch }) => refetch()));
  if (!stage || !account.data || !machineId.data || !needs.data) return { progress: null, isUnknown, retry };
  const requirements = {
    walletLinked: needs.data.wallet,
    walletConnected,
    heartbeats: needs.data.currentHeartbeats,
    required: heartbeatsRequired,
  };
  const known = { account: account.data, machineId: machineId.data };
  return { progress: { ...known, stage, address, requirements, timeline }, isUnknown, retry };
}

/** Returns what has happened so far. Asks again with every new stage. */
function useTimeline(stage: Stage | null, refetchOnMount: "always" | true) {
  const client = useQueryClient();
  const options = machineTimelineQuery(useRead());
  const moves = stage === "queued" || stage === "in-progress";
  const { data } = useQuery({ ...options, refetchOnMount, refetchInterval: moves && POLL_MS });
  const before = useRef(stage);
  useEffect(() => {
    if (before.current && stage !== before.current)
      void client.invalidateQueries({ queryKey: [machineTimelineQuery.path] });
    before.current = stage;
  }, [client, stage]);
  return data;
}
