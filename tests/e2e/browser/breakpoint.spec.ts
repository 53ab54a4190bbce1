import type { Page } from "@playwright/test";
import { newWallet } from "../../support/chain/new-wallet.ts";
import { expect, test } from "../fixtures.ts";
import { header, short } from "../wallet-steps.ts";

const card = (page: Page) => page.getByRole("heading", { name: "Mobile version coming soon" });
const sidebar = (page: Page) => page.getByRole("complementary", { name: "Sidebar" });

for (const fontSize of [16, 32]) {
  // specification: 1.13, 2.30, 2.33, 9.8
  test(`the small-screen layout ends at 768 px with a font size of ${fontSize} px`, async ({
    page,
    context,
    login,
  }) => {
    // A wallet belongs to one member only.
    const wallet = newWallet().address;
    await login({ wallet });
    const devtools = await context.newCDPSession(page);
    await devtools.send("Page.setFontSizes", { fontSizes: { standard: fontSize } });
    await page.setViewportSize({ width: 767, height: 800 });
    await page.goto("/dashboard");
    expect(await page.evaluate(() => getComputedStyle(document.documentElement).fontSize)).toBe(`${fontSize}px`);
    await expect(card(page)).toBeVisible();
    await expect(sidebar(page)).toBeHidden();

    await page.setViewportSize({ width: 768, height: 800 });
    await expect(card(page)).toBeHidden();
    await expect(sidebar(page)).toBeVisible();
    await expect(header(page)).toContainText(short(wallet));
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(768);

    // From this width on, the key collapses the sidebar to icons; below it, the key opens the panel.
    await page.keyboard.press("Control+b");
    await expect.poll(async () => (await sidebar(page).boundingBox())?.width).toBe(4 * fontSize);
    await page.setViewportSize({ width: 767, height: 800 });
    await page.getByRole("button", { name: "Continue anyway" }).click();
    await expect(page.getByRole("main")).toBeFocused();
    await page.keyboard.press("Control+b");
    await expect.poll(async () => (await sidebar(page).boundingBox())?.width).toBe(18 * fontSize);
  });
}

for (const bySheet of [false, true]) {
  test.describe(`text at twice the size, ${bySheet ? "by a custom style sheet" : "by the browser's font size"}`, () => {
    // Needed for the test only: pages allow no styles but their own.
    test.use({ bypassCSP: true });

    test("the text beside the sign-in form is shown in full or not at all", async ({ page, context }) => {
      const scene = page.locator("section", { has: page.locator(".heartbeat-title") });
      await page.setViewportSize({ width: 1280, height: 720 });
      await page.goto("/auth");
      await expect(scene).toBeVisible();
      if (bySheet) await page.addStyleTag({ content: "html { font-size: 200% }" });
      else {
        const devtools = await context.newCDPSession(page);
        await devtools.send("Page.setFontSizes", { fontSizes: { standard: 32 } });
        await page.reload();
      }
      for (const width of [1024, 1280, 1600, 2560]) {
        await page.setViewportSize({ width, height: 720 });
        await expect(page.getByRole("heading", { name: "Sign in" })).toBeVisible();
        const cut = await scene.evaluate((picture) => picture.scrollWidth > picture.clientWidth);
        expect(cut, `at ${width}`).toBe(false);
      }
      await expect(scene).toBeVisible();
    });
  });
}
