import { test as base, expect, type BrowserContext, type Page } from "@playwright/test";
import type { SeededMember, SeedMember } from "../support/app-messages.ts";
import { startApp, type RunningApp } from "../support/servers/start-app.ts";
import { waitForHydrationOnOpen } from "./hydration.ts";

export type AppFixtures = {
  /** How the pages reach the API: in the same process, or over HTTP at another server. */
  transport: "embedded" | "http";
  app: RunningApp;
};

type TestFixtures = {
  /** Creates a member, and signs this browser in as them. */
  login: (member?: SeedMember) => Promise<SeededMember>;
  /** Console messages that pages may log in this test. */
  expectedConsole: RegExp[];
  /** Fails the test if any page it opens, in any context, logs anything else. */
  silence: void;
  /** Makes the test wait until every page it opens, in any context, is hydrated. */
  life: void;
};

/** What browsers log about an ordinary error response. */
export const FAILED_RESOURCE = /Failed to load resource: the server responded with a status of 4\d\d/;

export const test = base.extend<TestFixtures, AppFixtures>({
  transport: ["embedded", { option: true, scope: "worker" }],
  // Debian's Chromium crashes at about one start in a hundred, before it has opened a page (in its own code, at 0x5c0).
  browser: [
    async ({ playwright, browserName }, use) => {
      const start = () => playwright[browserName].launch();
      const browser = await start().catch(start);
      await use(browser);
      await browser.close();
    },
    { scope: "worker", timeout: 0 },
  ],
  app: [
    async ({ transport }, use) => {
      const app = await startApp({ transport });
      await use(app);
      await app.close();
    },
    { scope: "worker" },
  ],
  baseURL: ({ app }, use) => use(app.url),
  // Each test has its own client address for the rate limits.
  // oxlint-disable-next-line no-empty-pattern -- Playwright reads what a fixture needs from the pattern
  extraHTTPHeaders: ({}, use) => use({ "X-Forwarded-For": randomAddress() }),
  login: ({ app, context }, use) =>
    use(async (member = {}) => {
      const seeded = await app.seed.member(member);
      await context.addCookies([{ ...seeded.cookie, url: app.url }]);
      return seeded;
    }),
  expectedConsole: [[], { option: true }],
  silence: [
    async ({ browser, expectedConsole }, use) => {
      const problems: string[] = [];
      const watch = (context: BrowserContext) =>
        collectProblems(context, [FAILED_RESOURCE, ...expectedConsole], problems);
      browser.on("context", watch);
      await use();
      browser.off("context", watch);
      expect(problems, "no console error, page error or policy violation").toEqual([]);
    },
    { auto: true },
  ],
  life: [
    async ({ browser }, use) => {
      browser.on("context", waitForHydrationOnOpen);
      await use();
      browser.off("context", waitForHydrationOnOpen);
    },
    { auto: true },
  ],
});

export { expect };

/** Disables live events, as with a backend that has none: the page polls now and then, and its network becomes idle. */
export const blockLiveEvents = (page: Page) =>
  page.route("**/live", (route) => route.fulfill({ status: 404, headers: { "Retry-After": "600" } }));

const randomAddress = () => `10.${crypto.getRandomValues(new Uint8Array(3)).join(".")}`;

/** Collects console errors and warnings (including CSP and hydration reports), uncaught errors and rejections. */
function collectProblems(context: BrowserContext, expected: RegExp[], problems: string[]) {
  const add = (text: string) => {
    if (!expected.some((pattern) => pattern.test(text))) problems.push(text);
  };
  context.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning") add(message.text());
  });
  context.on("weberror", (webError) => {
    const error = webError.error();
    add(error.stack ?? error.message);
  });
}
