import { MachineIdDialog } from "./machine-id-dialog.tsx";
import type { Seen } from "./seen.ts";
import { useStatusToasts } from "./use-status-toasts.ts";

type MachineIdIslandProps = {
  /** The id of the signed-in member. */
  member: string;
  /** The statuses that the page began with. */
  before: Seen;
  open: boolean;
  onClose: () => void;
};

/** Whatever the first paint of a page does not need: the dialog, and the toasts about changes of status. */
export function MachineIdIsland({ member, before, open, onClose }: MachineIdIslandProps) {
  useStatusToasts(member, before);
  return open && <MachineIdDialog member={member} onClose={onClose} />;
}
