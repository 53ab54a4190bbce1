import type { MachineIdState, SmartAccountState } from "../../server/machine-id/contract.ts";

/** Both statuses as they were seen last; undefined while one is not known. */
export type Seen = { account: SmartAccountState | undefined; machineId: MachineIdState | null | undefined };

/** Where a tab keeps what it has seen of a creation that is under way. */
export const SEEN = "machine-id-seen";

/** Whether something was under way when this tab was here last. False where the browser keeps nothing. */
export function wasUnderWay(): boolean {
  try {
    return sessionStorage.getItem(SEEN) !== null;
  } catch {
    return false;
  }
}
