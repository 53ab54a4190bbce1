import type { Locator, Page } from "@playwright/test";
import { expect, test, blockLiveEvents } from "../fixtures.ts";

// specification: 8.14
test("shows a claim optimistically, and rolls it back if it is refused", async ({ page, app, login }) => {
  const { userId } = await login();
  const ready = await app.seed.friend(userId, { heartbeats: 100, wallet: true });
  const another = await app.seed.friend(userId, { heartbeats: 100, wallet: true });
  await page.goto("/referrals");
  const button = page.getByRole("button", { name: `Claim 1.000 points for ${ready}` });
  const status = page.getByRole("row").filter({ hasText: ready });

  const held = Promise.withResolvers<void>();
  await page.route("**/referrals.data*", async (route) => {
    if (route.request().method() !== "POST") return route.continue();
    await held.promise;
    return route.continue({ postData: "intent=claim&id=00000000-0000-7000-8000-000000000000" });
  });
  await button.click();
  await expect(status).toContainText("Success");
  await expect(button).toHaveCount(0);
  await expect(page.getByRole("row").filter({ hasText: another })).toContainText("Claimable");

  held.resolve();
  await expect(page.getByRole("main").getByRole("alert")).toHaveText("There is no such referral.");
  await expect(status).toContainText("Claimable");
  await expect(button).toBeVisible();
  // The message appears only once, and has the focus that the button had.
  await expect(page.getByRole("region", { name: /notifications/i })).toHaveCount(0);
});

test("shows points claimed in another tab as claimed after the refusal, even without live events", async ({
  page,
  app,
  login,
}) => {
  const { userId } = await login();
  await app.seed.friend(userId, { heartbeats: 100, wallet: true });
  await blockLiveEvents(page);
  await page.goto("/referrals");
  const other = await page.context().newPage();
  await other.goto("/referrals");
  await other.getByRole("row").getByRole("button").click();
  await expect(other.getByRole("row").getByRole("button")).toHaveCount(0);

  await page.getByRole("row").getByRole("button").click();
  await expect(page.getByRole("main").getByRole("alert")).toBeVisible();
  await expect(page.getByRole("row").getByRole("button")).toHaveCount(0);
  await expect(page.getByRole("row").filter({ hasText: "Success" })).toHaveCount(1);
});

test("by keyboard the focus moves from a claim to its message, and with Tab to the next claim", async ({
  page,
  app,
  login,
}) => {
  const { userId } = await login();
  for (const _ of [1, 2]) await app.seed.friend(userId, { heartbeats: 100, wallet: true });
  await page.goto("/referrals");
  await page.getByRole("row").getByRole("button").first().press("Enter");
  const words = page.getByRole("main").getByRole("status").filter({ hasText: "You claimed 1.000 points for " });
  await expect(words.locator("..")).toBeFocused();
  await expect(words).toBeInViewport();
  await expect(page.getByRole("region", { name: /notifications/i })).toHaveCount(0);
  await tabTo(page, page.getByRole("row").getByRole("button"));
  await page.keyboard.press("Enter");
  await expect(page.getByRole("row").getByRole("button")).toHaveCount(0);
});

test("a claim and the age of the last heartbeat are right if the browser's clock is an hour fast", async ({
  page,
  app,
  login,
}) => {
  const { userId } = await login();
  for (const _ of [1, 2]) await app.seed.friend(userId, { heartbeats: 100, wallet: true });
  await app.seed.beat(userId, [new Date(Date.now() - 3 * 60_000).toISOString()]);
  await blockLiveEvents(page);
  await page.clock.install({ time: Date.now() + 3_600_000 });
  await page.goto("/referrals");
  const claims = page.getByRole("row").getByRole("button");
  await claims.first().click();
  await expect(page.getByText("You claimed 1.000 points for ")).toBeVisible();
  await expect(claims).toHaveCount(1);

  await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Dashboard" }).click();
  await expect(page.getByText(/last one \d+ min ago/)).toBeVisible();
});

/** Presses Tab until the target has the focus, past the filters of the list. */
async function tabTo(page: Page, target: Locator) {
  for (let presses = 0; presses < 12; presses += 1) {
    if (await target.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press("Tab");
  }
  await expect(target).toBeFocused();
}
