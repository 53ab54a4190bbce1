import type { Page } from "@playwright/test";
import { expect, test } from "../fixtures.ts";

const bar = (page: Page) => page.getByRole("progressbar", { name: "Loading the page" });
const said = (page: Page) => page.getByRole("status").filter({ hasText: "Loading the page" });
const profileLink = (page: Page) =>
  page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Profile" });

/** Opens a page whose clock only moves when told to, once it has come to life. */
async function openStill(page: Page, path: string) {
  await page.clock.install();
  await page.goto(path);
  await expect.poll(() => page.evaluate(() => Object.keys(localStorage))).toContain("user");
  await page.clock.pauseAt(Date.now() + 60_000);
}

/** Holds back the answers to what matches until they are released. */
async function hold(page: Page, url: string) {
  const { promise, resolve } = Promise.withResolvers<void>();
  const asked = page.waitForRequest(url);
  await page.route(url, async (route) => {
    await promise;
    await route.continue();
  });
  return { asked, release: resolve };
}

test("a page that takes longer than 200 ms is announced until it is there", async ({ page, login }) => {
  await login();
  await openStill(page, "/faqs");
  const { asked, release } = await hold(page, "**/profile.data*");

  await profileLink(page).click();
  await asked;
  await page.clock.runFor(199);
  await expect(bar(page)).toHaveCount(0);
  await page.clock.runFor(1);
  await expect(bar(page)).toBeAttached();
  await expect(said(page)).toBeAttached();

  release();
  await expect(page).toHaveURL("/profile");
  await expect(bar(page)).toHaveCount(0);
  await expect(said(page)).toHaveCount(0);
});

test("so is a form that takes long, and with reduced motion the line stands still", async ({ page, login }) => {
  await page.emulateMedia({ reducedMotion: "reduce" });
  await login();
  await openStill(page, "/profile");
  const { asked, release } = await hold(page, "**/profile.data*");

  await page.getByRole("button", { name: "Turn off campaign mail" }).click();
  await asked;
  await page.clock.runFor(200);
  await expect(bar(page)).toBeAttached();
  const line = bar(page).locator("xpath=following-sibling::div");
  await expect(line).toHaveCSS("animation-name", "none");
  expect(await line.boundingBox()).toEqual({ x: 0, y: 0, width: 1440, height: 2 });

  release();
  await expect(page.getByText("Campaign mail is off.")).toBeVisible();
  await expect(bar(page)).toHaveCount(0);
});

test("new pages begin at the top, and back, forward and reload return to where one was", async ({ page, login }) => {
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

test("a link that the keyboard reaches is read for as one that the pointer rests on", async ({ page, login }) => {
  await login();
  await page.goto("/faqs");
  await expect.poll(() => page.evaluate(() => Object.keys(localStorage))).toContain("user");
  const read = page.waitForRequest("**/read/points-log*");

  await page.getByRole("link", { name: "Skip to the content" }).focus();
  await page.keyboard.press("Tab");
  await page.keyboard.press("Tab");
  await expect(page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Dashboard" })).toBeFocused();
  await read;
});
