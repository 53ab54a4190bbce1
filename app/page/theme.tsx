import { createContext, use, useEffect, useSyncExternalStore } from "react";
import { brand } from "../../brand.ts";
import { NonceContext } from "./nonce-context.ts";
import { themeCookie, type Theme } from "./preferences.ts";
import { keepCookie } from "../cookies/plain-cookie.ts";
import { followStored } from "../session/tabs.ts";

/** The theme the server rendered with. */
export const ThemeContext = createContext<Theme>("light");

const CHANGED = "themechange";

/**
 * Runs before the first paint. The server has drawn the page by the cookie; a theme that only local storage remembers
 * (the cookie is gone, or the page comes from the browser's own cache) is put in its place without a flash. The browser
 * has run it by the time it hydrates the page, so its bundle goes without.
 */
export function ThemeScript() {
  // The meta elements follow now: React knows them by their content, and would add what it no longer finds.
  useEffect(() => showTheme(readTheme()), []);
  const script = { __html: import.meta.env.SSR ? THEME_SCRIPT : "" };
  return <script nonce={use(NonceContext)} suppressHydrationWarning dangerouslySetInnerHTML={script} />;
}

const THEME_SCRIPT = `try{let t=localStorage.getItem("theme"),d=document.documentElement;if((t==="dark"||t==="light")&&t!==d.dataset.theme&&!/(^|; )theme=/.test(document.cookie)){d.dataset.theme=t;document.cookie="theme="+t+"; Path=/; SameSite=Lax; Max-Age=31536000"+(location.protocol==="https:"?"; Secure":"")}}catch{}`;

/** The theme on the page, which follows other tabs. */
export function useTheme(): Theme {
  const rendered = use(ThemeContext);
  return useSyncExternalStore(subscribe, readTheme, () => rendered);
}

const readTheme = (): Theme => (document.documentElement.dataset.theme === "dark" ? "dark" : "light");

function subscribe(onChange: () => void) {
  addEventListener(CHANGED, onChange);
  const end = followStored((key, value) => {
    if (key === "theme" && (value === "dark" || value === "light")) showTheme(value);
  });
  return () => {
    removeEventListener(CHANGED, onChange);
    end();
  };
}

function showTheme(theme: Theme) {
  document.documentElement.dataset.theme = theme;
  document.querySelector('meta[name="theme-color"]')?.setAttribute("content", brand.themeColor[theme]);
  document.querySelector('meta[name="color-scheme"]')?.setAttribute("content", theme);
  dispatchEvent(new Event(CHANGED));
}

/** Shows a theme at once and remembers it: in the cookie for the server, in local storage for the other tabs. */
export function applyTheme(theme: Theme) {
  keepCookie(themeCookie(theme));
  try {
    localStorage.setItem("theme", theme);
  } catch {
    // Storage may be switched off; the cookie remembers for both.
  }
  showTheme(theme);
}
