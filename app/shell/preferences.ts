export type Theme = "light" | "dark";

/** What the reader has chosen about the shell: not secret, kept in cookies so that the first byte already follows it. */
export type Preferences = { theme: Theme; sidebarOpen: boolean; mobileContinued: boolean };

export const DEFAULT_PREFERENCES: Preferences = { theme: "light", sidebarOpen: true, mobileContinued: false };

const YEAR = 365 * 24 * 60 * 60;
/** Seven days (product specification, section 9). */
const SIDEBAR_MAX_AGE = 604_800;

/** The reader's preferences, from the cookies of a request; the defaults for what is absent or unknown. */
export function readPreferences(request: Request): Preferences {
  const header = request.headers.get("Cookie") ?? "";
  return {
    theme: readCookie(header, "theme") === "dark" ? "dark" : DEFAULT_PREFERENCES.theme,
    sidebarOpen: readCookie(header, "sidebar_state") !== "false",
    mobileContinued: readCookie(header, "mobile_continued") === "true",
  };
}

/** The value of a cookie in a `Cookie` header, or in `document.cookie`. */
export function readCookie(header: string, name: string): string | undefined {
  const pair = header.split(/;\s*/).find((part) => part.startsWith(`${name}=`));
  return pair?.slice(name.length + 1);
}

/** The cookie for a theme, for `Set-Cookie` and for `document.cookie` alike, as the others below. */
export function themeCookie(theme: Theme, url: URL): string {
  return serialize("theme", theme, url, YEAR);
}

export function sidebarCookie(open: boolean, url: URL): string {
  return serialize("sidebar_state", String(open), url, SIDEBAR_MAX_AGE);
}

/** Without an age: it ends with the browser's session. */
export function mobileContinuedCookie(url: URL): string {
  return serialize("mobile_continued", "true", url);
}

/** A cookie of ours, for `Set-Cookie` and for `document.cookie` alike. Without an age it ends with the browser's session. */
export function serialize(name: string, value: string, url: URL, maxAge?: number): string {
  const age = maxAge === undefined ? "" : `; Max-Age=${maxAge}`;
  return `${name}=${value}; Path=/; SameSite=Lax${age}${url.protocol === "https:" ? "; Secure" : ""}`;
}
