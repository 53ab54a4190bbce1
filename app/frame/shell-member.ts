import type { Person } from "./sidebar/member-badge.tsx";

/** What the shell shows about the signed-in member. */
export type ShellMember = {
  onboarded: boolean;
  whitelisted: boolean;
  points: number;
  /** The address of the linked wallet. */
  wallet: string | null;
  /** For the referral link. Null if there is none. */
  personalCode?: string | null;
  /** Undefined while it is unknown. */
  person?: Person | undefined;
};
