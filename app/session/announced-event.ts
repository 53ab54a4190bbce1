import { dropCookie, keepCookie, readCookie, writeCookie } from "../cookies/plain-cookie.ts";
import { isAuthEvent, type AuthEvent } from "../api/auth-event.ts";

const COOKIE = "auth_event";

/**
 * The `Set-Cookie` value with which an action says what it did: the page that shows next passes it on to the other
 * tabs, and forgets it. Not secret, and readable by scripts for that reason.
 */
export const announce = (event: AuthEvent): string => writeCookie(COOKIE, event, { maxAge: 60 });

/** Whether a `Set-Cookie` value announces an event. */
export const isAnnouncement = (line: string): boolean => line.startsWith(`${COOKIE}=`);

/** What the last answer has announced, which is then forgotten; undefined for nothing, and for what is none of ours. */
export function takeAnnounced(): AuthEvent | undefined {
  const event = readCookie(document.cookie, COOKIE);
  if (event === undefined) return undefined;
  keepCookie(dropCookie(COOKIE));
  return isAuthEvent(event) ? event : undefined;
}
