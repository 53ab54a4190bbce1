import type { Browser, BrowserContext, Page } from "@playwright/test";
import type { SeededMember } from "../support/app-process.ts";
import { noteHydration } from "../e2e/hydration.ts";

export type Theme = "light" | "dark";
export type Size = { width: number; height: number };

/** Who looks at a page, and how. */
export type Look = { member: SeededMember | null; theme: Theme; javaScript: boolean };

/** How long whatever is waited for may take, in milliseconds. */
const PATIENCE_MS = 30_000;

/** What states are made with. Another engine's driver does the same by the same verbs. */
export type Tab = ReturnType<typeof toTab>;

/** Opens a tab in a browser of its own, signed in where there is a member. */
export async function openTab(browser: Browser, url: string, look: Look) {
  const { javaScript, member, theme } = look;
  const context = await browser.newContext({
    baseURL: url,
    javaScriptEnabled: javaScript,
    // Nothing moves: two pictures of one page are the same.
    reducedMotion: "reduce",
    // A client of its own to the limits.
    extraHTTPHeaders: { "X-Forwarded-For": `10.${crypto.getRandomValues(new Uint8Array(3)).join(".")}` },
  });
  context.setDefaultTimeout(PATIENCE_MS);
  await noteHydration(context);
  await context.addCookies([{ name: "theme", value: theme, url }, ...(member ? [{ ...member.cookie, url }] : [])]);
  const page = await context.newPage();
  return { context, tab: toTab(context, page, javaScript) };
}

function toTab(context: BrowserContext, page: Page, javaScript: boolean) {
  function find(selector: string, text?: string) {
    const named = text === undefined ? {} : { hasText: new RegExp(`^\\s*${text}\\s*$`) };
    return page
      .locator(selector)
      .filter({ visible: true, ...named })
      .first();
  }
  return {
    /** Opens an address; the path it has led to. */
    async goto(path: string): Promise<string> {
      await page.goto(path);
      if (javaScript) await page.waitForFunction(() => window.isHydrated);
      return new URL(page.url()).pathname;
    },
    /** Presses the first element in sight that fits, with that text if one is given. */
    click: (selector: string, text?: string) => find(selector, text).click(),
    fill: (selector: string, text: string) => find(selector).fill(text),
    key: (name: string) => page.keyboard.press(name),
    /** Waits until there is such an element in sight. */
    see: (selector: string, text?: string) => find(selector, text).waitFor(),
    keepCookie: (name: string, value: string) => context.addCookies([{ name, value, url: page.url() }]),
    loseNetwork: () => context.setOffline(true),
    resize: (size: Size) => page.setViewportSize(size),
    /** Writes a picture of the window to a file, or of the whole page. */
    async shot(path: string, { whole }: { whole: boolean }): Promise<void> {
      // What is fixed stands where the window is: in a picture of the whole page, at its top.
      if (whole) await page.evaluate(() => scrollTo(0, 0));
      await page.evaluate(() => document.fonts.ready.then(() => true));
      await page.screenshot({ path, fullPage: whole, animations: "disabled" });
    },
  };
}
