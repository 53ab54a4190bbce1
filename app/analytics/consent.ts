import { readCookie, writeCookie } from "../cookies/plain-cookie.ts";

/** What the reader has said about being measured; undefined until they have. */
export type Consent = "granted" | "denied" | undefined;

const COOKIE = "analytics_consent";
/** Half a year, in seconds: then we ask again. */
const MAX_AGE = 182 * 24 * 60 * 60;

/** The reader's choice, from the cookies of a request or a page. */
export function readConsent(cookies: string): Consent {
  const value = readCookie(cookies, COOKIE);
  return value === "granted" || value === "denied" ? value : undefined;
}

/** The cookie that keeps a choice. */
export const consentCookie = (consent: NonNullable<Consent>): string =>
  writeCookie(COOKIE, consent, { maxAge: MAX_AGE });
