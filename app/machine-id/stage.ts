import type {
  MachineIdState,
  MachineIdStatus,
  SmartAccountState,
  SmartAccountStatus,
} from "../../server/machine-id/contract.ts";

/**
 * How far a member is on the way to a Machine ID. `in-progress` may need their signature. `creatable` means that the
 * Smart Account is there and nothing has been requested yet (product specification, section 4).
 */
export type Stage = "no-account" | "queued" | "creatable" | "in-progress" | "complete";

/**
 * Returns the stage that two statuses make. Null while one of them is unknown, or is one that the product does not
 * know.
 */
export function findStage(
  account: SmartAccountStatus | undefined,
  machineId: MachineIdStatus | undefined,
): Stage | null {
  if (!account || !machineId) return null;
  if (account.status !== "completed") return ACCOUNT_STAGES[account.status] ?? null;
  return machineId.status === null ? "creatable" : (MACHINE_ID_STAGES[machineId.status] ?? null);
}

/** The stages until the account is there. */
const ACCOUNT_STAGES: Partial<Record<SmartAccountState, Stage>> = {
  not_found: "no-account",
  failed: "no-account",
  pending: "queued",
};

const MACHINE_ID_STAGES: Partial<Record<MachineIdState, Stage>> = {
  waiting_for_signature: "in-progress",
  pending: "in-progress",
  completed: "complete",
};
