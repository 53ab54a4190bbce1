import { existsSync } from "node:fs";
import { chromium } from "@playwright/test";

// Debian's packages. The one without a window is the same engine, and needs half the processor time of the whole
// browser.
const HEADLESS_SHELL = "/usr/bin/chromium-headless-shell";
const WHOLE_BROWSER = "/usr/bin/chromium";

/** Returns whether a browser without a window is installed, Debian's or Playwright's own. */
export const hasHeadlessShell = () => existsSync(HEADLESS_SHELL) || existsSync(chromium.executablePath());

export const hasChromium = () => hasHeadlessShell() || existsSync(WHOLE_BROWSER);

/**
 * Returns the options with which Playwright launches the best browser there is. Without options it launches its own.
 */
export function chromiumOptions() {
  if (existsSync(HEADLESS_SHELL)) return { executablePath: HEADLESS_SHELL };
  return hasHeadlessShell() ? {} : { executablePath: WHOLE_BROWSER };
}
