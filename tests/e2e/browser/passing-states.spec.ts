import { expectNoFindings } from "../expect-no-findings.ts";
import { expect, test, blockLiveEvents } from "../fixtures.ts";

// The browser itself logs failed requests.
test.use({ expectedConsole: [/net::ERR_INTERNET_DISCONNECTED/] });

test.beforeEach(async ({ page, login }) => {
  await login();
  await blockLiveEvents(page);
  await page.goto("/dashboard");
});

test("a page outline and its progress line pass axe", async ({ page }) => {
  const { promise, resolve } = Promise.withResolvers<void>();
  // If the click comes long after the pointer, the page's own reads are already on their way instead.
  await page.route(/\/profile\.data|\/read\//, async (route) => {
    await promise;
    await route.continue();
  });
  await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Profile" }).click();
  await expect(page.locator("[data-outline]")).toHaveCount(1);
  await expectNoFindings(page);
  resolve();
  await expect(page).toHaveURL("/profile");
});

test("a toast and a tooltip pass axe", async ({ page }) => {
  await page.evaluate(() => (document.cookie = "note_toast_1=log-unavailable; Path=/"));
  await page.getByRole("link", { name: "30 days" }).click();
  await expect(
    page.getByRole("region", { name: /notifications/i }).getByText("The file could not be created."),
  ).toBeVisible();
  // Toasts stay while the pointer rests on them.
  await page.getByText("The file could not be created.").hover();
  await page.getByRole("link", { name: "90 days" }).focus();
  await expectNoFindings(page);
  await page.getByRole("banner").getByRole("button", { name: /theme/ }).hover();
  await expect(page.locator("[popover=manual]:popover-open")).toBeVisible();
  await expectNoFindings(page);
});

test("the offline banner and a page that cannot load pass axe", async ({ page, context }) => {
  await context.setOffline(true);
  await page.getByRole("link", { name: "30 days" }).click();
  await expect(page.getByRole("main").getByRole("heading", { name: "You are offline" })).toBeVisible();
  await expectNoFindings(page);
});
