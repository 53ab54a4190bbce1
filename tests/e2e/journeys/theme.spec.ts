import type { Page } from "@playwright/test";
import { expect, test } from "../fixtures.ts";

/** Reads everything that tells the browser a page's theme. */
async function readTheme(page: Page) {
  const read = (selector: string, attribute: string) => page.locator(selector).getAttribute(attribute);
  return {
    theme: await read("html", "data-theme"),
    scheme: await page.evaluate(() => getComputedStyle(document.documentElement).colorScheme),
    surface: await read('meta[name="theme-color"]', "content"),
  };
}

const LIGHT = { theme: "light", scheme: "light", surface: "#fbfaf7" };
const DARK = { theme: "dark", scheme: "dark", surface: "#0f1014" };

// specification: 1.12, 3.23
test("the light theme is the default, whatever the system prefers, and the dark one persists once chosen", async ({
  page,
}) => {
  await page.emulateMedia({ colorScheme: "dark" });
  await page.goto("/auth");
  expect(await readTheme(page)).toEqual(LIGHT);

  await page.getByRole("button", { name: "Use the dark theme" }).click();
  await expect(page.getByRole("button", { name: "Use the light theme" })).toBeVisible();
  expect(await readTheme(page)).toEqual(DARK);

  for (const path of ["/auth/signup", "/faqs", "/no-such-page"]) {
    await page.goto(path);
    expect(await readTheme(page), path).toEqual(DARK);
    await expect(page.locator("body"), path).toHaveCSS("background-color", /oklch\(0\.175|rgb\(1\d, 1\d, 2?\d\)/);
  }
});
