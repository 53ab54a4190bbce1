// Brings the browser for the journeys: the system's Chromium, else Playwright's own, else Debian's package.
import { existsSync } from "node:fs";
import { chromium } from "@playwright/test";
import { attempt, installPackages, isRoot } from "./apt.mjs";

const present = () => existsSync("/usr/bin/chromium") || existsSync(chromium.executablePath());

if (!present()) {
  const steps = [
    () => attempt("npx", "playwright", "install", ...(isRoot ? ["--with-deps"] : []), "chromium"),
    () => installPackages("chromium"),
  ];
  for (const step of steps) if (!present()) step();
}

if (!present()) {
  console.error("No Chromium could be installed. Install one at /usr/bin/chromium, then run the tests again.");
  process.exit(1);
}
