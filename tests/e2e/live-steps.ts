import type { Page } from "@playwright/test";

/** Resolves with the first answer to a page's request for events. */
export const connected = (page: Page) =>
  page.waitForResponse((response) => new URL(response.url()).pathname === "/live");

/** Has a page take itself for hidden behind another tab, or for the one that is looked at. */
export function setVisibility(page: Page, state: "hidden" | "visible") {
  return page.evaluate((value) => {
    Object.defineProperty(document, "visibilityState", { configurable: true, get: () => value });
    document.dispatchEvent(new Event("visibilitychange"));
  }, state);
}
