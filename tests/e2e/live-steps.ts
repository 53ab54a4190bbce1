import type { Page } from "@playwright/test";

/** Resolves with the first response to a page's request for events. */
export const connected = (page: Page) =>
  page.waitForResponse((response) => new URL(response.url()).pathname === "/live");

/** Makes a page believe that it is hidden behind another tab, or visible. */
export function setVisibility(page: Page, state: "hidden" | "visible") {
  return page.evaluate((value) => {
    Object.defineProperty(document, "visibilityState", { configurable: true, get: () => value });
    document.dispatchEvent(new Event("visibilitychange"));
  }, state);
}
