import { expect, type BrowserContext, type Page } from "@playwright/test";

declare global {
  interface Window {
    /** Whether the page's effects have run once, so that it listens to whatever it is going to listen to. */
    isHydrated?: boolean;
  }
}

/** Has every page of a context note when scripts have taken it over: React tells its developer tools so. */
export const noteHydration = (context: BrowserContext) =>
  context.addInitScript(() => {
    const hook = { supportsFiber: true, inject: () => 1, onPostCommitFiberRoot: () => (window.isHydrated = true) };
    Object.assign(window, { __REACT_DEVTOOLS_GLOBAL_HOOK__: hook });
  });

/** Waits until scripts have taken the page over. A quiet network says nothing of it: a busy machine is quiet, too. */
export const hydrated = (page: Page) => expect.poll(() => page.evaluate(() => window.isHydrated)).toBe(true);
