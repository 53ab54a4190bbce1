import { readCookie, serializeCookie } from "../cookies/plain-cookie.ts";

/** The user's choice about being measured, or undefined until they choose. */
export type Consent = "granted" | "denied" | undefined;

const COOKIE = "analytics_consent";
/** Half a year, in seconds. After that, we ask again. */
const MAX_AGE = 182 * 24 * 60 * 60;

/** Reads the user's choice from the cookies of a request or a page. */
export function readConsent(cookies: string): Consent {
  const value = readCookie(cookies, COOKIE);
  return value === "granted" || value === "denied" ? value : undefined;
}

/** Returns the cookie that keeps a choice. */
export const consentCookie = (consent: NonNullable<Consent>): string =>
  serializeCookie(COOKIE, consent, { maxAge: MAX_AGE });
