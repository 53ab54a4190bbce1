import type { Page } from "@playwright/test";
import { expect, test } from "../fixtures.ts";
import { hydrated } from "../hydration.ts";

const SCRIPT = /\/assets\/.*\.js$/;

/** Records every script that the page requests. */
function noteScripts(page: Page): string[] {
  const scripts: string[] = [];
  page.on("request", (request) => {
    if (SCRIPT.test(request.url())) scripts.push(request.url());
  });
  return scripts;
}

test("a page requests its scripts after its first paint", async ({ page, login }) => {
  await login();
  const scripts = noteScripts(page);
  const { promise: arrived, resolve: letArrive } = Promise.withResolvers<void>();
  await page.route("**/*.css", async (route) => {
    await arrived;
    await route.continue();
  });
  const response = await page.goto("/dashboard", { waitUntil: "commit" });
  await response?.finished();
  // The first paint needs the fonts as well as the styles.
  await expect.poll(() => page.evaluate(() => performance.getEntriesByType("resource").length)).toBeGreaterThan(1);
  expect(scripts).toEqual([]);

  letArrive();
  await hydrated(page);
  expect(scripts).not.toEqual([]);
});

test.describe("without its scripts", () => {
  // What the browser logs about missing code, if it can still be read after the page has gone.
  test.use({ expectedConsole: [/^$|Failed to fetch dynamically imported module/] });

  test("a page hides what needs scripts, and its form still works", async ({ page, login }) => {
    const { email, password } = await login();
    await page.context().clearCookies();
    const [, entry = ""] = /(\/assets\/entry\.client-[^"]+)/.exec(await (await page.request.get("/auth")).text()) ?? [];
    await page.route(`**${entry}`, (route) => route.fulfill({ status: 404 }));
    await page.goto("/auth", { waitUntil: "load" });
    await expect(page.getByRole("button", { name: "Show password" })).toBeHidden();

    await page.getByLabel("Email").fill(email);
    await page.getByLabel("Password", { exact: true }).fill(password);
    await page.getByRole("button", { name: "Sign in" }).click();
    await expect(page).toHaveURL("/dashboard");
    await expect(page.getByRole("heading", { name: "Points log" })).toBeVisible();
  });
});

const UNPAINTED = {
  "a hidden page": () => {
    Object.defineProperty(Document.prototype, "hidden", { get: () => true });
    window.requestAnimationFrame = () => 0;
    PerformanceObserver.prototype.observe = () => undefined;
  },
  "a page whose browser does not report paints": () => {
    PerformanceObserver.prototype.observe = () => undefined;
  },
};

for (const [what, pretend] of Object.entries(UNPAINTED))
  test(`${what} hydrates, too`, async ({ page }) => {
    await page.addInitScript(pretend);
    await page.goto("/auth");
  });

test("a page that is hidden before its first paint hydrates in the background", async ({ page }) => {
  await page.addInitScript(() => {
    window.requestAnimationFrame = () => 0;
    PerformanceObserver.prototype.observe = () => undefined;
  });
  const scripts = noteScripts(page);
  await page.goto("/auth", { waitUntil: "load" });
  expect(scripts).toEqual([]);
  await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
  await hydrated(page);
});
