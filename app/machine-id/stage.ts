import type { MachineIdStatus, SmartAccountStatus } from "../../server/machine-id/contract.ts";

/**
 * How far a member is on the way to a Machine ID. `in-progress` may need their signature, `creatable` means that the
 * Smart Account is there and nothing has been asked for yet (product specification, section 4).
 */
export type Stage = "no-account" | "queued" | "creatable" | "in-progress" | "complete";

/** The stage that two statuses make; null while one of them is not known. */
export function findStage(
  account: SmartAccountStatus | undefined,
  machineId: MachineIdStatus | undefined,
): Stage | null {
  if (!account || !machineId) return null;
  if (account.status === "pending") return "queued";
  if (account.status !== "completed") return "no-account";
  if (machineId.status === null) return "creatable";
  return machineId.status === "completed" ? "complete" : "in-progress";
}
