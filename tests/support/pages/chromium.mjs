import { existsSync } from "node:fs";
import { chromium } from "@playwright/test";

// As Debian packages them. The one without a window is the same engine at half the processor time of the whole browser.
const HEADLESS_SHELL = "/usr/bin/chromium-headless-shell";
const WHOLE_BROWSER = "/usr/bin/chromium";

/** Whether there is a browser without a window, Debian's or Playwright's own. */
export const hasHeadlessShell = () => existsSync(HEADLESS_SHELL) || existsSync(chromium.executablePath());

export const hasChromium = () => hasHeadlessShell() || existsSync(WHOLE_BROWSER);

/** The options that have Playwright launch the best there is: its own browser, unless told otherwise. */
export function chromiumOptions() {
  if (existsSync(HEADLESS_SHELL)) return { executablePath: HEADLESS_SHELL };
  return hasHeadlessShell() ? {} : { executablePath: WHOLE_BROWSER };
}
