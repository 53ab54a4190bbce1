import { readCookie, serializeCookie } from "../cookies/plain-cookie.ts";

export type Theme = "light" | "dark";

/**
 * The reader's choices about the shell. They are not secret, and cookies keep them so that the first byte follows them.
 */
type Preferences = { theme: Theme; sidebarOpen: boolean; mobileContinued: boolean };

export const DEFAULT_PREFERENCES: Preferences = { theme: "light", sidebarOpen: true, mobileContinued: false };

const YEAR = 365 * 24 * 60 * 60;
/** Seven days (product specification, section 9). */
const SIDEBAR_MAX_AGE = 604_800;

/** Reads the preferences from the cookies of a request. Uses the defaults for what is absent or unknown. */
export function readPreferences(request: Request): Preferences {
  const header = request.headers.get("Cookie") ?? "";
  return {
    theme: readCookie(header, "theme") === "dark" ? "dark" : DEFAULT_PREFERENCES.theme,
    sidebarOpen: readCookie(header, "sidebar_state") !== "false",
    mobileContinued: readCookie(header, "mobile_continued") === "true",
  };
}

export const themeCookie = (theme: Theme): string => serializeCookie("theme", theme, { maxAge: YEAR });

export const sidebarCookie = (open: boolean): string =>
  serializeCookie("sidebar_state", String(open), { maxAge: SIDEBAR_MAX_AGE });

const FIRST_STEPS = "first_steps_hidden";

/**
 * Returns the cookie that names the member who has hidden the list of first steps. Another member in the same browser
 * still sees the list.
 */
export const firstStepsCookie = (member: string): string =>
  serializeCookie(FIRST_STEPS, encodeURIComponent(member), { maxAge: YEAR });

/**
 * Returns the member who has hidden the list of first steps, from a `Cookie` header or `document.cookie`. The value
 * stays encoded, as it is there.
 */
export const readFirstStepsHidden = (cookies: string): string | undefined => readCookie(cookies, FIRST_STEPS);

const KEYS = "shortcut_keys";

/**
 * Returns the cookie that says whether a key alone, without Ctrl or Cmd, is a shortcut. Speech input may type one by
 * accident.
 */
export const plainKeysCookie = (wanted: boolean): string =>
  serializeCookie(KEYS, wanted ? "all" : "combined", { maxAge: YEAR });

/** Returns whether a key alone is a shortcut, from `document.cookie`. */
export const readPlainKeys = (cookies: string): boolean => readCookie(cookies, KEYS) !== "combined";

/** Returns a cookie that ends with the browser's session. */
export const mobileContinuedCookie = (): string => serializeCookie("mobile_continued", "true");
