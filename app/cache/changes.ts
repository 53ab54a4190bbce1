import type { LivePart } from "../../server/live/contract.ts";

/**
 * What can change for a member: a part that the server announces, the totals of the points, what the profile's forms
 * and a wallet's signature change, in any tab, or a session that was renewed.
 */
export type Change = LivePart | "totals" | "account" | "wallet" | "TOKEN_REFRESHED";
