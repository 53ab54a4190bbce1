import { expect, test } from "../fixtures.ts";

test("an unknown page returns 404 and links to the start page", async ({ page }) => {
  const response = await page.goto("/no-such-page");

  expect(response?.status()).toBe(404);
  await page.getByRole("main").getByRole("link").first().click();
  await expect(page).toHaveURL(/\/(auth|dashboard)/);
});

// specification: 1.13, 1.14
test("a small screen shows the desktop notice, and can continue anyway", async ({ page, login }) => {
  await login();
  await page.setViewportSize({ width: 600, height: 800 });
  await page.goto("/dashboard");

  await expect(page.getByRole("heading", { name: "Mobile version coming soon" })).toBeVisible();
  await expect(page.getByText("Please use a desktop computer for now.")).toBeVisible();
  await expect(page.getByRole("heading", { name: "Points log" })).toBeHidden();
  await page.getByRole("button", { name: "Continue anyway" }).click();
  await expect(page.getByRole("heading", { name: "Mobile version coming soon" })).toBeHidden();
  await expect(page.getByRole("heading", { name: "Points log" })).toBeVisible();
});
