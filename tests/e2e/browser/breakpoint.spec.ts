import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import type { Page } from "@playwright/test";
import { expect, test } from "../fixtures.ts";
import { header, short } from "../wallet-steps.ts";

/** A wallet is one member's alone. */
const newWallet = () => privateKeyToAccount(generatePrivateKey()).address;

const card = (page: Page) => page.getByRole("heading", { name: "Mobile version coming soon" });
const sidebar = (page: Page) => page.getByRole("complementary", { name: "Sidebar" });

for (const fontSize of [16, 32]) {
  // specification: 1.13, 2.30, 2.33, 9.8
  test(`small screens end at 768 px, with a font of ${fontSize} px`, async ({ page, context, login }) => {
    const wallet = newWallet();
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

    // The key toggles the bar of icons from here on, and the panel below.
    await page.keyboard.press("Control+b");
    await expect.poll(async () => (await sidebar(page).boundingBox())?.width).toBe(4 * fontSize);
    await page.setViewportSize({ width: 767, height: 800 });
    await page.getByRole("button", { name: "Continue anyway" }).click();
    await expect(page.getByRole("main")).toBeFocused();
    await page.keyboard.press("Control+b");
    await expect.poll(async () => (await sidebar(page).boundingBox())?.width).toBe(18 * fontSize);
  });
}
