import { useQuery } from "@tanstack/react-query";
import type { MachineIdStatus, MachineTimeline, SmartAccountStatus } from "../../server/machine-id/contract.ts";
import { machineTimelineQuery, smartIdRequirementsQuery } from "../api/queries.ts";
import { useRead } from "../api/query-provider.tsx";
import { useWalletConnected } from "../wallet/wallet-state.ts";
import type { Requirements } from "./requirement-list.tsx";
import type { Stage } from "./stage.ts";
import { POLL_MS, useIdentity, useMachineId } from "./use-machine-id.ts";

/** Heartbeats that a Machine ID takes (product specification, section 9). */
const HEARTBEATS_REQUIRED = 100;

/** All there is to know of a member's way to a Machine ID. */
export type Progress = {
  stage: Stage;
  account: SmartAccountStatus;
  machineId: MachineIdStatus;
  /** The address of the finished Machine ID; null while there is none. */
  address: string | null;
  requirements: Requirements;
  timeline: MachineTimeline | undefined;
};

/** How far the member is; null while that is not known. Asked for again while something is under way. */
export function useProgress(): Progress | null {
  const read = useRead();
  const { account, machineId, stage } = useMachineId();
  const { data: requirements } = useQuery(smartIdRequirementsQuery(read));
  const moves = stage === "queued" || stage === "in-progress";
  const { data: timeline } = useQuery({ ...machineTimelineQuery(read), refetchInterval: moves && POLL_MS });
  const identity = useIdentity(stage === "complete");
  const walletConnected = useWalletConnected();
  if (!stage || !account.data || !machineId.data || !requirements) return null;
  return {
    stage,
    account: account.data,
    machineId: machineId.data,
    address: identity?.public_address ?? null,
    requirements: {
      walletLinked: requirements.wallet,
      walletConnected,
      heartbeats: requirements.currentHeartbeats,
      required: HEARTBEATS_REQUIRED,
    },
    timeline,
  };
}
