// Installs the browser for the journeys: Debian's package of the one without a window, otherwise Playwright's own,
// otherwise any Chromium there is.
import { attempt, installPackages, isRoot } from "./apt.mjs";
import { hasChromium, hasHeadlessShell } from "../support/pages/chromium.mjs";

if (!hasHeadlessShell()) installPackages("chromium-headless-shell");
if (!hasChromium()) attempt("npx", "playwright", "install", ...(isRoot ? ["--with-deps"] : []), "chromium");
if (!hasChromium()) installPackages("chromium");

if (!hasChromium()) {
  console.error("No Chromium could be installed. Install one at /usr/bin/chromium, then run the tests again.");
  process.exitCode = 1;
}
