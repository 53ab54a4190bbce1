import type { MachineIdState, SmartAccountState } from "../../server/machine-id/contract.ts";

/** Both statuses as they were last seen. Undefined while unknown. */
export type Seen = { account: SmartAccountState | undefined; machineId: MachineIdState | null | undefined };

/** The key under which a tab keeps what it has seen of a creation that is under way. */
export const SEEN = "machine-id-seen";

/** Returns whether something was under way when this tab was last here. False if the browser keeps nothing. */
export function wasUnderWay(): boolean {
  try {
    return sessionStorage.getItem(SEEN) !== null;
  } catch {
    return false;
  }
}
