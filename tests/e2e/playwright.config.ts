import { availableParallelism } from "node:os";
import { defineConfig, devices } from "@playwright/test";
import { chromiumOptions } from "../support/pages/chromium.mjs";
import type { AppFixtures } from "./fixtures.ts";

export default defineConfig<object, AppFixtures>({
  testDir: ".",
  outputDir: "../../test-results",
  fullyParallel: true,
  forbidOnly: Boolean(process.env.CI),
  // A journey waits for its browser and its server in turns: one more than cores keeps these busy.
  workers: Math.max(3, Math.floor(availableParallelism() / 2)),
  // Patience, and no measure: on a machine that is busy with something else a sign-in's hash alone takes ten seconds.
  timeout: 180_000,
  expect: { timeout: 30_000 },
  reporter: "list",
  use: {
    ...devices["Desktop Chrome"],
    viewport: { width: 1440, height: 900 },
    // Drawing motion is a third of the browser's work on /auth. Journeys about motion, and the other engines, keep it.
    contextOptions: { reducedMotion: "reduce" },
    launchOptions: {
      ...chromiumOptions(),
      args: [
        "--no-sandbox",
        "--disable-gpu",
        // No graphics card draws here: a process for one would only take time.
        "--in-process-gpu",
        // A page lives for seconds: code that is compiled better than it has to be costs more than it saves.
        "--js-flags=--no-opt --no-maglev",
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
    // With the API on another server, too, which makes no difference to a page: one walk shows both.
    { name: "no-javascript", testDir: "journeys", use: { transport: "http", javaScriptEnabled: false } },
  ],
});
