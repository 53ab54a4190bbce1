import { createContext, use, useEffect, useSyncExternalStore } from "react";
import { brand } from "../../brand.ts";
import { NonceContext } from "./nonce-context.ts";
import { themeCookie, type Theme } from "./preferences.ts";
import { storeCookie } from "../cookies/plain-cookie.ts";
import { watchStorage } from "../session/tabs.ts";

/** The theme that the server rendered with. */
export const ThemeContext = createContext<Theme>("light");

const CHANGED = "themechange";

/**
 * Runs before the first paint. The server has rendered the page by the cookie. If only local storage remembers a theme
 * (the cookie is gone, or the page comes from the browser's cache), this applies it without a flash. A browser has run
 * it before it hydrates the page, so its bundle leaves it out.
 */
export function ThemeScript({ rendered }: { rendered: Theme }) {
  // The window's colour follows only now: React finds the meta element by its content, and would add another.
  useEffect(() => {
    if (readTheme() !== rendered) showTheme(readTheme());
  }, [rendered]);
  const script = { __html: import.meta.env.SSR ? THEME_SCRIPT : "" };
  return <script nonce={use(NonceContext)} suppressHydrationWarning dangerouslySetInnerHTML={script} />;
}

const THEME_SCRIPT = `try{let t=localStorage.getItem("theme"),d=document.documentElement;if((t==="dark"||t==="light")&&t!==d.dataset.theme&&!/(^|; )theme=/.test(document.cookie)){d.dataset.theme=t;document.cookie="theme="+t+"; Path=/; SameSite=Lax; Max-Age=31536000"+(location.protocol==="https:"?"; Secure":"")}}catch{}`;

/** Returns the theme of the page, in sync with other tabs. */
export function useTheme(): Theme {
  const rendered = use(ThemeContext);
  return useSyncExternalStore(subscribe, readTheme, () => rendered);
}

const readTheme = (): Theme => (document.documentElement.dataset.theme === "dark" ? "dark" : "light");

function subscribe(onChange: () => void) {
  addEventListener(CHANGED, onChange);
  const end = watchStorage((key, value) => {
    if (key === "theme" && (value === "dark" || value === "light")) showTheme(value);
  });
  return () => {
    removeEventListener(CHANGED, onChange);
    end();
  };
}

/**
 * Leaves the `color-scheme` meta element as it is: once the styles are there, they decide, and Chromium would match all
 * rules for all elements again.
 */
function showTheme(theme: Theme) {
  document.documentElement.dataset.theme = theme;
  document.querySelector('meta[name="theme-color"]')?.setAttribute("content", brand.themeColor[theme]);
  dispatchEvent(new Event(CHANGED));
}

/** Shows a theme at once and remembers it: in the cookie for the server, in local storage for the other tabs. */
export function applyTheme(theme: Theme) {
  storeCookie(themeCookie(theme));
  try {
    localStorage.setItem("theme", theme);
  } catch {
    // Storage may be turned off. The cookie then remembers the theme for both.
  }
  showTheme(theme);
}
