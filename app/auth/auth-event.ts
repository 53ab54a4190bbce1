/** What the authentication provider tells the pages (product specification, section 4). */
export const AUTH_EVENTS = ["SIGNED_IN", "SIGNED_OUT", "TOKEN_REFRESHED", "PASSWORD_RECOVERY", "USER_UPDATED"] as const;
export type AuthEvent = (typeof AUTH_EVENTS)[number];

export const isAuthEvent = (value: unknown): value is AuthEvent => AUTH_EVENTS.some((event) => event === value);

export const AUTH_EVENT_COOKIE = "auth_event";

/**
 * The `Set-Cookie` value with which an action says what it did: the page that shows next passes it on to the other
 * tabs, and forgets it. Not secret, and readable by scripts for that reason.
 */
export const announce = (event: AuthEvent): string => `${AUTH_EVENT_COOKIE}=${event}; Path=/; SameSite=Lax; Max-Age=60`;
