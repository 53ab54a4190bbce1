import type { HeldReason } from "../../../server/referrals/contract.ts";

/** Why an invitation is reviewed before anybody is paid. */
export const HELD_WORDS: Record<HeldReason, string> = {
  "same-mailbox": "The friend's address leads to the same mailbox as another account.",
  returned: "The mailbox had an account before, which was deleted or has another address now.",
  "same-device": "The friend joined with a browser that the inviter uses.",
  "disposable-address": "The address belongs to a disposable email service.",
  cycle: "The mailbox or browser belongs to somebody higher up in the chain of invitations.",
};
