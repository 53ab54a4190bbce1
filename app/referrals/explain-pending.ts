import type { PendingReason, Referral } from "../../server/referrals/contract.ts";
import { formatCount } from "../ui/number/number.ts";

type Pending = Pick<Referral, "inviteeHeartbeats" | "pendingReasons" | "walletConnected">;

/** Explains what a pending friend still needs, and who has to act. Returns null if nothing is known to be missing. */
export function explainPending(friend: Pending, heartbeatsRequired: number): string | null {
  const reasons = friend.pendingReasons ?? deriveReasons(friend, heartbeatsRequired);
  if (reasons.includes("left")) return "This friend has deleted their account.";
  const missing = heartbeatsRequired - friend.inviteeHeartbeats;
  const steps = [
    ...(reasons.includes("heartbeats") ? [countBeats(missing)] : []),
    ...(reasons.includes("wallet") ? ["a linked wallet"] : []),
  ];
  const next = steps.length > 0 ? `Your friend needs ${steps.join(" and ")}.` : null;
  if (!reasons.includes("review")) return next;
  return ["We are reviewing this invitation. You do not need to do anything.", next].filter(Boolean).join(" ");
}

/** Derives what must be missing if the backend does not say. */
function deriveReasons({ inviteeHeartbeats, walletConnected }: Pending, heartbeatsRequired: number): PendingReason[] {
  return [
    ...(inviteeHeartbeats < heartbeatsRequired ? (["heartbeats"] as const) : []),
    ...(walletConnected ? [] : (["wallet"] as const)),
  ];
}

/** Says how many heartbeats are missing. Gives no number if the backend counts by rules that it does not publish. */
function countBeats(missing: number): string {
  if (missing < 1) return "more heartbeats";
  return formatCount(missing, "more heartbeat");
}
