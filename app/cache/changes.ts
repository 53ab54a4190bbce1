import type { LivePart } from "../../server/live/contract.ts";

/**
 * What can change for a member: a part that the server tells of, the totals of the points, what the profile's forms
 * and a wallet's signature change, or an event of the authentication provider.
 */
export type Change = LivePart | "totals" | "account" | "wallet" | "USER_UPDATED" | "TOKEN_REFRESHED";
