import { availableParallelism } from "node:os";
import { defineConfig, devices } from "@playwright/test";
import { chromiumOptions } from "../support/pages/chromium.mjs";
import type { AppFixtures } from "./fixtures.ts";

export default defineConfig<object, AppFixtures>({
  testDir: ".",
  outputDir: "../../test-results",
  fullyParallel: true,
  forbidOnly: Boolean(process.env.CI),
  // A journey waits in turn for its browser and its server, so one worker more than there are cores keeps these busy.
  workers: Math.max(3, Math.floor(availableParallelism() / 2)),
  // Generous, and not a target: on a machine that is busy with something else, a sign-in's hash alone takes ten
  // seconds.
  timeout: 180_000,
  expect: { timeout: 30_000 },
  reporter: "list",
  use: {
    ...devices["Desktop Chrome"],
    viewport: { width: 1440, height: 900 },
    // Animations are a third of the browser's work on /auth. Journeys about motion, and the other engines, keep them.
    contextOptions: { reducedMotion: "reduce" },
    launchOptions: {
      ...chromiumOptions(),
      args: [
        "--no-sandbox",
        "--disable-gpu",
        // There is no graphics card here: a process for one would only take time.
        "--in-process-gpu",
        // A page lives for seconds: optimizing its code costs more than it saves.
        "--js-flags=--no-opt --no-maglev",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
      ],
    },
    // A trace of every test costs time. To get one, run the failing test again with --trace on.
    screenshot: "only-on-failure",
  },
  projects: [
    { name: "browser" },
    // Also puts the API on another server. That makes no difference to a page, so one run covers both.
    { name: "no-javascript", testDir: "journeys", use: { transport: "http", javaScriptEnabled: false } },
  ],
});
