import type { Outcome } from "../outcome/outcome.ts";

/** The events of the authentication provider (product specification, section 4). */
const AUTH_EVENTS = ["SIGNED_IN", "SIGNED_OUT", "TOKEN_REFRESHED", "PASSWORD_RECOVERY", "USER_UPDATED"] as const;
export type AuthEvent = (typeof AUTH_EVENTS)[number];

export const isAuthEvent = (value: unknown): value is AuthEvent => AUTH_EVENTS.some((event) => event === value);

/** Sent along with SIGNED_OUT if nobody has signed out: the session was over. */
export const EXPIRED = "expired";

/** Session events that actions announce to every tab. */
export const AUTH_EVENT: Outcome<AuthEvent> = { kind: "event", to: "auth", isWord: isAuthEvent };
