import { existsSync } from "node:fs";
import { availableParallelism } from "node:os";
import { defineConfig, devices } from "@playwright/test";
import type { AppFixtures } from "./fixtures.ts";

const systemChromium = "/usr/bin/chromium";

export default defineConfig<object, AppFixtures>({
  testDir: ".",
  outputDir: "../../test-results",
  fullyParallel: true,
  forbidOnly: Boolean(process.env.CI),
  workers: Math.max(2, Math.floor(availableParallelism() / 2)),
  // Patience, and no measure: on a machine that is busy with something else a sign-in's hash alone takes ten seconds.
  timeout: 180_000,
  expect: { timeout: 30_000 },
  reporter: "list",
  use: {
    ...devices["Desktop Chrome"],
    viewport: { width: 1440, height: 900 },
    launchOptions: {
      ...(existsSync(systemChromium) && { executablePath: systemChromium }),
      args: [
        "--no-sandbox",
        "--disable-gpu",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
      ],
    },
    // A trace of every test costs time: run the one that fails again with --trace on.
    screenshot: "only-on-failure",
  },
  projects: [
    { name: "browser" },
    { name: "no-javascript", testMatch: /journeys\/.*\.spec\.ts/, use: { javaScriptEnabled: false } },
    // Where the API stands makes a difference to the server alone: scripts would only take longer.
    { name: "remote-api", testMatch: /journeys\/.*\.spec\.ts/, use: { transport: "http", javaScriptEnabled: false } },
  ],
});
