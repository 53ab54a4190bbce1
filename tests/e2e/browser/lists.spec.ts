import type { Page } from "@playwright/test";
import { expect, test } from "../fixtures.ts";
import { hydrated } from "../hydration.ts";
import { advanceClockUntil } from "../pass-until.ts";
import { visit } from "../visit.ts";

const READY = { heartbeats: 100, wallet: true };

test("the focus moves from Next to Previous on the last page, and back", async ({ page, app, login }) => {
  const { userId } = await login();
  for (let index = 0; index < 6; index += 1) await app.seed.friend(userId, {});
  await visit(page, "/referrals?limit=5");
  await hydrated(page);
  await page.getByRole("link", { name: "Next" }).press("Enter");
  await expect(page).toHaveURL("/referrals?limit=5&page=2");
  await expect(page.getByRole("link", { name: "Previous" })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL("/referrals?limit=5");
  await expect(page.getByRole("link", { name: "Next" })).toBeFocused();
});

test("claim buttons stay in view in a narrow window", async ({ page, app, login }) => {
  const { userId } = await login();
  await app.seed.friend(userId, { ...READY, email: "somebody.with.a.long.address@members.example.org" });
  await page.setViewportSize({ width: 800, height: 720 });
  await visit(page, "/referrals");
  await page.getByRole("row").last().scrollIntoViewIfNeeded();
  await expect(page.getByRole("button", { name: /^Claim 1/ })).toBeInViewport({ ratio: 1 });
});

test("a toast does not cover the pagination links", async ({ page, app, login }) => {
  const { userId } = await login();
  for (let index = 0; index < 11; index += 1) await app.seed.friend(userId, {});
  await page.setViewportSize({ width: 1280, height: 720 });
  await page.clock.install();
  await visit(page, "/referrals");
  await hydrated(page);
  // Stops the clock, so that a message of four seconds stays until it is checked.
  await page.clock.pauseAt(Date.now() + 60_000);
  await page.evaluate(() => (document.cookie = "note_toast_1=log-unavailable; Path=/"));
  await page.getByRole("link", { name: "All", exact: true }).click();
  const toast = page.getByRole("region", { name: /notifications/i }).getByRole("listitem");
  await advanceClockUntil(page, 50, () => toast.isVisible());
  const next = page.getByRole("link", { name: "Next" });
  await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
  await next.click({ trial: true });
  const [one, other] = await Promise.all([toast.boundingBox(), next.boundingBox()]);
  expect((one?.x ?? 0) + (one?.width ?? 0)).toBeLessThan(other?.x ?? 0);
});

test("the header and the page have the same left and right edges on a wide screen", async ({ page, login }) => {
  await login();
  await page.setViewportSize({ width: 1920, height: 1080 });
  await visit(page, "/rewards");
  const boxOf = async (selector: string) => page.locator(selector).first().boundingBox();
  const [title, last, row] = [
    await boxOf("header h1"),
    await page.locator("header button").last().boundingBox(),
    await boxOf("main section"),
  ];
  expect(title?.x).toBe(row?.x);
  expect((last?.x ?? 0) + (last?.width ?? 0)).toBe((row?.x ?? 0) + (row?.width ?? 0));
});

test("nothing scrolls sideways in a narrow window with a large font", async ({ page, app, login }) => {
  const { userId } = await login();
  await app.seed.friend(userId, READY);
  await app.seed.friend(userId, READY);
  const campaign = { name: "Follow us", type: "3 friends", formUrl: "https://nodebeat.example/x", bonusPoints: 250.5 };
  const more = { mandatory: true, buttonText: null, taskNumber: 1 };
  await app.seed.campaigns(userId, [{ id: crypto.randomUUID(), ...campaign, ...more }]);
  await page.setViewportSize({ width: 768, height: 900 });
  for (const path of ["/referrals", "/rewards"]) {
    await visit(page, path);
    await hydrated(page);
    expect(await sidewaysWith(page, "32px"), path).toBeLessThanOrEqual(768);
  }
});

/** Returns how wide the document is with this font size. */
const sidewaysWith = (page: Page, size: string) =>
  page.evaluate((fontSize) => {
    document.documentElement.style.fontSize = fontSize;
    return document.documentElement.scrollWidth;
  }, size);
