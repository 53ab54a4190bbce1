// Brings the browser for the journeys: the system's Chromium, else Playwright's own, else Debian's package.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { chromium } from "@playwright/test";

const present = () => existsSync("/usr/bin/chromium") || existsSync(chromium.executablePath());
const attempt = (command, ...args) => spawnSync(command, args, { stdio: "inherit" }).status === 0;

if (!present()) {
  const root = process.getuid?.() === 0;
  const apt = (...args) => (root ? attempt("apt-get", ...args) : attempt("sudo", "-n", "apt-get", ...args));
  const steps = [
    () => attempt("npx", "playwright", "install", ...(root ? ["--with-deps"] : []), "chromium"),
    () => apt("update", "-qq") && apt("install", "-y", "-qq", "--no-install-recommends", "chromium"),
  ];
  for (const step of steps) if (!present()) step();
}

if (!present()) {
  console.error("No Chromium could be installed. Install one at /usr/bin/chromium, then run the tests again.");
  process.exit(1);
}
