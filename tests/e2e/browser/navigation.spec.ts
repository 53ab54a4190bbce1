import type { Locator, Page } from "@playwright/test";
import { expect, test } from "../fixtures.ts";
import { openWithPausedClock } from "../pass-until.ts";

const said = (page: Page) => page.getByRole("status").filter({ hasText: "Loading the page" });
const line = (page: Page) => said(page).locator("[aria-hidden] > *");
const profileLink = (page: Page) =>
  page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Profile" });

test.use({ contextOptions: { reducedMotion: "no-preference" } });

/** Opens a page whose clock stands still once it is hydrated, and which counts the timers of each delay from then on. */
async function open(page: Page, path: string) {
  await openWithPausedClock(page, path);
  await page.evaluate(() => {
    const timers: Record<number, number> = {};
    const original = window.setTimeout.bind(window);
    const count = (handler: () => void, delay = 0) => {
      timers[delay] = (timers[delay] ?? 0) + 1;
      return original(handler, delay);
    };
    Object.assign(window, { timers, setTimeout: count });
  });
}

/**
 * Waits until the page has set this many timers of a delay. It sets them after it has drawn that it navigates, which
 * may be later than its request. More than one part of the page may have a timer.
 */
async function waitForTimer(page: Page, delay: number, times = 1) {
  const count = () => page.evaluate((of) => Reflect.get(window, "timers")[of] ?? 0, delay);
  await expect.poll(count).toBeGreaterThanOrEqual(times);
}

/** Holds back the responses to matching requests until they are released. */
async function hold(page: Page, url: string) {
  const { promise, resolve } = Promise.withResolvers<void>();
  const asked = page.waitForRequest(url);
  await page.route(url, async (route) => {
    await promise;
    await route.continue();
  });
  return { asked, release: resolve };
}

test("announces a page that takes longer than 200 ms until it has loaded", async ({ page, login }) => {
  await login();
  await open(page, "/faqs");
  const { asked, release } = await hold(page, "**/profile.data*");

  await profileLink(page).click();
  await asked;
  await waitForTimer(page, 200);
  await page.clock.runFor(199);
  await expect(said(page)).toHaveCount(0);
  await page.clock.runFor(1);
  await expect(said(page)).toBeAttached();
  await expect(line(page)).toHaveCSS("animation-name", "travel");

  release();
  await expect(page).toHaveURL("/profile");
  await expect(said(page)).toHaveCount(0);

  const next = await hold(page, "**/faqs.data*");
  await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Help & FAQs" }).click();
  await next.asked;
  await waitForTimer(page, 200, 2);
  await page.clock.runFor(199);
  await expect(said(page)).toHaveCount(0);
  await page.clock.runFor(1);
  await expect(said(page)).toBeAttached();
  next.release();
});

test("announces a slow form, too, and the progress line stands still with reduced motion", async ({ page, login }) => {
  await page.emulateMedia({ reducedMotion: "reduce" });
  await login();
  await open(page, "/profile");
  const { asked, release } = await hold(page, "**/profile.data*");

  await page.getByRole("region", { name: "About you" }).getByRole("button", { name: "Save" }).click();
  await asked;
  await expect(page.getByRole("button", { name: "Saving…" })).toBeDisabled();
  await waitForTimer(page, 200);
  await page.clock.runFor(200);
  await expect(line(page)).toHaveCSS("animation-name", "none");
  expect(await line(page).boundingBox()).toEqual({ x: 0, y: 0, width: 1440, height: 2 });

  release();
  await expect(page.getByText("Your details have been saved.")).toBeVisible();
  await expect(said(page)).toHaveCount(0);
});

for (const [path, title] of [
  ["/dashboard", "Dashboard"],
  ["/agentinsights", "Agent Insights"],
  ["/rewards", "Rewards"],
  ["/referrals", "Your Referrals"],
  ["/profile", "Profile"],
] as const) {
  test(`${path} shows an outline of its cards in their places after half a second`, async ({ page, app, login }) => {
    await page.setViewportSize({ width: 1440, height: 600 });
    // A member who has completed the first steps.
    const { userId } = await login({ heartbeats: path === "/agentinsights" ? 3 : 0 });
    await page.context().addCookies([{ name: "first_steps_hidden", value: userId, url: app.url }]);
    await open(page, path === "/profile" ? "/dashboard" : "/profile");
    await page.evaluate(() => scrollTo(0, 100));
    await page.route("**/read/**", (route) => route.abort());
    const { asked, release } = await hold(page, `**${path}.data*`);

    await page.getByRole("navigation", { name: "Main" }).locator(`a[href="${path}"]`).click();
    await asked;
    await waitForTimer(page, 500);
    await page.clock.runFor(499);
    await expect(page.locator("[data-outline]")).toHaveCount(0);
    await page.clock.runFor(1);
    const cards = page.locator("[data-outline] .card");
    await expect(cards.first()).toBeVisible();
    await expect(page.getByRole("banner").getByRole("heading", { level: 1 })).toHaveAccessibleName(title);
    await expect(page.getByRole("navigation", { name: "Main" }).locator("[aria-current=page]")).toHaveAttribute(
      "href",
      path,
    );
    const outline = await readPlaces(cards);

    await page.unroute("**/read/**");
    release();
    await expect(page).toHaveURL(path);
    await expect(cards).toHaveCount(0);
    const places = await readPlaces(page.getByRole("main").locator(".card"));
    expect(outline.slice(0, 2)).toEqual(places.slice(0, 2));
  });
}

/** Returns where cards begin, and how wide they are. */
function readPlaces(cards: Locator) {
  return cards.evaluateAll((elements) =>
    elements
      .map((element) => element.getBoundingClientRect())
      .map(({ x, y, width }) => ({ x: Math.round(x), y: Math.round(y), width: Math.round(width) }))
      .toSorted((a, b) => a.y - b.y || a.x - b.x),
  );
}

test("going back restores the scroll position even if an outline was shown in between", async ({ page, login }) => {
  await page.setViewportSize({ width: 1440, height: 420 });
  await login();
  await open(page, "/dashboard");
  await page.evaluate(() => scrollTo(0, 300));
  const { asked, release } = await hold(page, "**/profile.data*");
  await profileLink(page).click();
  await asked;
  await waitForTimer(page, 500);
  await page.clock.runFor(500);
  await expect(page.locator("[data-outline]")).toHaveCount(1);
  release();
  await expect(page).toHaveURL("/profile");
  await expect.poll(() => page.evaluate(() => scrollY)).toBe(0);

  await page.goBack();
  await expect(page).toHaveURL("/dashboard");
  await expect.poll(() => page.evaluate(() => scrollY)).toBe(300);
});

// specification: 2.20
test("new pages start at the top; back, forward and reload restore the scroll position", async ({ page, login }) => {
  await page.setViewportSize({ width: 1280, height: 420 });
  await login();
  await page.goto("/dashboard");
  const readScroll = () => page.evaluate(() => Math.round(window.scrollY));
  await page.evaluate(() => scrollTo(0, 300));
  await expect.poll(readScroll).toBe(300);

  await profileLink(page).click();
  await expect(page).toHaveURL("/profile");
  await expect.poll(readScroll).toBe(0);
  await page.evaluate(() => scrollTo(0, 150));
  await expect.poll(readScroll).toBe(150);

  await page.goBack();
  await expect(page).toHaveURL("/dashboard");
  await expect.poll(readScroll).toBe(300);
  await page.goForward();
  await expect(page).toHaveURL("/profile");
  await expect.poll(readScroll).toBe(150);
  await page.reload();
  await expect.poll(readScroll).toBe(150);
});

/** Marks the document, and returns a function that tells whether it is still the same one. */
async function markDocument(page: Page) {
  await page.evaluate(() => Object.assign(document, { isMarked: true }));
  return () => page.evaluate(() => "isMarked" in document);
}

test("a link navigates in the same document, and opens a new one if clicked with a modifier key", async ({
  page,
  context,
  login,
}) => {
  await login();
  await page.goto("/faqs");
  const isSame = await markDocument(page);
  // The second link opens a dialog when clicked without a modifier.
  for (const link of [profileLink(page), page.getByRole("link", { name: "Log out" }).first()]) {
    const address = await link.getAttribute("href");
    for (const modifier of ["ControlOrMeta", "Shift"] as const) {
      const opened = context.waitForEvent("page");
      await link.click({ modifiers: [modifier] });
      await expect(await opened).toHaveURL(address ?? "");
      await (await opened).close();
      await expect(page).toHaveURL("/faqs");
    }
  }
  await profileLink(page).click();
  await expect(page).toHaveURL("/profile");
  expect(await isSame()).toBe(true);
  await page.goBack();
  await expect(page).toHaveURL("/faqs");
  expect(await isSame()).toBe(true);
});

test("a link to the current page adds nothing to the history", async ({ page, login }) => {
  await login();
  await page.goto("/faqs");
  await profileLink(page).click();
  await expect(page).toHaveURL("/profile");
  // The router gives each history entry its own key.
  const readPlace = () => page.evaluate(() => ({ key: history.state.key, places: history.length }));
  const before = await readPlace();
  await profileLink(page).click();
  await expect.poll(readPlace).not.toEqual(before);
  expect((await readPlace()).places).toBe(before.places);
  await page.goBack();
  await expect(page).toHaveURL("/faqs");
});

test("leaves links to files to the browser, and opens a log row in the same document", async ({ page, app, login }) => {
  const { userId } = await login();
  await app.seed.post(userId, [{ category: "Rewards", points: 5, comment: "An entry" }]);
  await page.goto("/dashboard");
  const isSame = await markDocument(page);
  const file = page.waitForEvent("download");
  await page.getByRole("link", { name: "Download as CSV" }).click();
  expect((await file).suggestedFilename()).toMatch(/^points-log.*\.csv$/);
  await expect(page).toHaveURL("/dashboard");

  await page.getByRole("link", { name: "An entry" }).click();
  await expect(page).toHaveURL(/\/dashboard\?entry=[\w-]+$/);
  expect(await isSame()).toBe(true);

  await page.goto("/status");
  await page.getByRole("link", { name: "/status.json" }).click();
  await expect(page).toHaveURL("/status.json");
  await expect(page.locator("body")).toContainText('"parts"');
});

test.describe("after an upgrade", () => {
  // What the router logs about missing code, if it can still be read after the page has gone.
  test.use({ expectedConsole: [/^$|Failed to fetch dynamically imported module/] });

  test("a link leads to its page even if the code for it is gone", async ({ page, login }) => {
    await login();
    await page.goto("/faqs");
    await page.route("**/assets/profile.route-*.js", (route) =>
      page.url().endsWith("/faqs") ? route.fulfill({ status: 404 }) : route.continue(),
    );
    await profileLink(page).click();
    await expect(page).toHaveURL("/profile");
    await expect(page.getByRole("heading", { name: "Profile", level: 1 })).toBeVisible();
  });
});
