import type { Page } from "@playwright/test";
import { startSlicingProxy } from "../../support/slicing-proxy.ts";
import { expect, test } from "../fixtures.ts";
import { recordShifts, settledShifts } from "../shifts.ts";

const PAGES = [
  { path: "/auth", signedIn: false },
  { path: "/faqs", signedIn: false },
  { path: "/dashboard", signedIn: true },
];

const countElements = (page: Page) => page.evaluate(() => document.getElementsByTagName("*").length);

/** Waits until what the page has by now could be painted. */
const paint = (page: Page) =>
  page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));

for (const { path, signedIn } of PAGES) {
  test(`nothing moves in the header of ${path} when the network brings it bit by bit`, async ({ page, app, login }) => {
    const proxy = await startSlicingProxy(app.url, path);
    try {
      if (signedIn) await login({ heartbeats: 100, wallet: `0x${crypto.randomUUID()}` });
      await recordShifts(page);
      await page.goto(proxy.url + path, { waitUntil: "commit" });
      let slices = 0;
      await paint(page);
      for (let before = await countElements(page); proxy.release(); before = await countElements(page)) {
        await expect.poll(() => countElements(page)).toBeGreaterThan(before);
        await paint(page);
        slices += 1;
      }
      expect(slices).toBeGreaterThan(5);
      expect(await settledShifts(page)).toEqual([]);
      await expect(page.getByRole("banner")).toBeVisible();
    } finally {
      await proxy.close();
    }
  });
}
