import type { Page } from "@playwright/test";
import { expect, test } from "../fixtures.ts";

const NAME = "Use the dark theme";

const bubbles = (page: Page) => page.locator("[popover=manual]:popover-open");
const toggle = (page: Page) => page.getByRole("button", { name: NAME });

test.beforeEach(async ({ page, login }) => {
  await login();
  await page.clock.install();
  await page.goto("/dashboard");
  // From here on time passes only when a test says so.
  await page.clock.pauseAt(Date.now() + 60_000);
});

// specification: 2.63, 9.14
test("a tooltip appears after 700 ms of hovering, and the next one at once within 300 ms", async ({ page }) => {
  await toggle(page).hover();
  await page.clock.runFor(690);
  await expect(bubbles(page)).toHaveCount(0);
  await page.clock.runFor(10);
  await expect(bubbles(page)).toHaveText(NAME);

  // The next tooltip replaces it, however quickly the pointer gets there.
  await page.getByRole("button", { name: "Commands" }).hover();
  await page.clock.runFor(1);
  await expect(bubbles(page)).toHaveText("Commands (Ctrl or Cmd + K)");

  await page.mouse.move(600, 300);
  await page.clock.runFor(150);
  await expect(bubbles(page)).toHaveCount(0);
  await page.clock.runFor(290);
  await page.getByRole("button", { name: "Collapse the sidebar" }).hover();
  await page.clock.runFor(1);
  await expect(bubbles(page)).toHaveText("Collapse the sidebar");
  // The collapsed sidebar shows no other text.
  await page.keyboard.press("Control+b");
  await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Rewards" }).hover();
  await page.clock.runFor(1);
  await expect(bubbles(page)).toHaveText("Rewards");

  await page.mouse.move(600, 300);
  await page.clock.runFor(150 + 300);
  await toggle(page).hover();
  await page.clock.runFor(690);
  await expect(bubbles(page)).toHaveCount(0);
});

test("the pointer can move onto a tooltip, and Escape closes it", async ({ page }) => {
  await toggle(page).hover();
  await page.clock.runFor(700);
  await bubbles(page).hover();
  await page.clock.runFor(5000);
  await expect(bubbles(page)).toHaveText(NAME);

  await page.keyboard.press("Escape");
  await expect(bubbles(page)).toHaveCount(0);
});

test("keyboard focus shows a tooltip, and a click does not", async ({ page }) => {
  await toggle(page).focus();
  await page.keyboard.press("Shift+Tab");
  await page.keyboard.press("Tab");
  await expect(toggle(page)).toBeFocused();
  await page.clock.runFor(700);
  await expect(bubbles(page)).toHaveText(NAME);
  await page.keyboard.press("Shift+Tab");
  await expect(bubbles(page)).toHaveCount(0);

  await page.clock.runFor(1000);
  await toggle(page).click();
  await page.clock.runFor(5000);
  await expect(bubbles(page)).toHaveCount(0);
});
