import { readCookie, writeCookie } from "../cookies/plain-cookie.ts";

export type Theme = "light" | "dark";

/**
 * What the reader has chosen about the shell: not secret, kept in cookies so that the first byte already follows it.
 */
type Preferences = { theme: Theme; sidebarOpen: boolean; mobileContinued: boolean };

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

export const themeCookie = (theme: Theme): string => writeCookie("theme", theme, { maxAge: YEAR });

export const sidebarCookie = (open: boolean): string =>
  writeCookie("sidebar_state", String(open), { maxAge: SIDEBAR_MAX_AGE });

const FIRST_STEPS = "first_steps_hidden";

/** Names the member who has put the list of first steps away: another on the same browser still sees it. */
export const firstStepsCookie = (member: string): string =>
  writeCookie(FIRST_STEPS, encodeURIComponent(member), { maxAge: YEAR });

/**
 * Who has put the list of first steps away, from a `Cookie` header or `document.cookie`; encoded, as it stands there.
 */
export const readFirstStepsHidden = (cookies: string): string | undefined => readCookie(cookies, FIRST_STEPS);

const KEYS = "shortcut_keys";

/** Whether a key alone, without Ctrl or Cmd, is a shortcut: speech input may type it unasked. */
export const plainKeysCookie = (wanted: boolean): string =>
  writeCookie(KEYS, wanted ? "all" : "combined", { maxAge: YEAR });

/** The same, from `document.cookie`. */
export const readPlainKeys = (cookies: string): boolean => readCookie(cookies, KEYS) !== "combined";

/** It ends with the browser's session. */
export const mobileContinuedCookie = (): string => writeCookie("mobile_continued", "true");
