import { MachineIdDialog } from "./machine-id-dialog.tsx";
import type { Seen } from "./seen.ts";
import { useStatusToasts } from "./use-status-toasts.ts";

type MachineIdIslandProps = {
  /** The id of the signed-in member. */
  member: string;
  /** What the page began with. */
  before: Seen;
  open: boolean;
  onClose: () => void;
};

/** What is not needed for the first sight of a page: the dialog, and what is said when a status changes. */
export function MachineIdIsland({ member, before, open, onClose }: MachineIdIslandProps) {
  useStatusToasts(member, before);
  return open && <MachineIdDialog member={member} onClose={onClose} />;
}
