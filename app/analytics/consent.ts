import { readCookie } from "../shell/preferences.ts";

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

/** The cookie that keeps a choice, for `document.cookie`. */
export function consentCookie(consent: NonNullable<Consent>, { protocol }: Pick<URL, "protocol">): string {
  const secure = protocol === "https:" ? "; Secure" : "";
  return `${COOKIE}=${consent}; Path=/; SameSite=Lax; Max-Age=${MAX_AGE}${secure}`;
}
