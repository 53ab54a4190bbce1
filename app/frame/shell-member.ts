import type { Person } from "./sidebar/member-badge.tsx";

/** What the shell shows of the signed-in member. */
export type ShellMember = {
  onboarded: boolean;
  whitelisted: boolean;
  points: number;
  /** The address of the linked wallet. */
  wallet: string | null;
  /** For the referral link; null while there is none. */
  personalCode?: string | null;
  /** Undefined while it is not known. */
  person?: Person | undefined;
};
