import type { PendingReason, Referral } from "../../server/referrals/contract.ts";
import { formatNumber } from "../ui/number/number.ts";

type Pending = Pick<Referral, "inviteeHeartbeats" | "pendingReasons" | "walletConnected">;

/** What a pending friend waits for: who does what next. Null where nothing is known to be missing. */
export function explainPending(friend: Pending, heartbeatsRequired: number): string | null {
  const reasons = friend.pendingReasons ?? deriveReasons(friend, heartbeatsRequired);
  if (reasons.includes("left")) return "This friend has left, so there is nothing more to come.";
  const missing = heartbeatsRequired - friend.inviteeHeartbeats;
  const steps = [
    ...(reasons.includes("heartbeats") ? [`keep their node running for ${countBeats(missing)}`] : []),
    ...(reasons.includes("wallet") ? ["link a wallet"] : []),
  ];
  const next = steps.length > 0 ? `Your friend has to ${steps.join(" and ")}.` : null;
  if (!reasons.includes("review")) return next;
  return ["We are looking at this invitation: there is nothing you need to do.", next].filter(Boolean).join(" ");
}

/** What must be missing, where the backend does not tell. */
function deriveReasons({ inviteeHeartbeats, walletConnected }: Pending, heartbeatsRequired: number): PendingReason[] {
  return [
    ...(inviteeHeartbeats < heartbeatsRequired ? (["heartbeats"] as const) : []),
    ...(walletConnected ? [] : (["wallet"] as const)),
  ];
}

/** Without a number where the backend counts by rules that it does not tell. */
function countBeats(missing: number): string {
  if (missing < 1) return "more heartbeats";
  return `${formatNumber(missing)} more ${missing === 1 ? "heartbeat" : "heartbeats"}`;
}
