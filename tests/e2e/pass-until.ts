import { expect, type Page } from "@playwright/test";

/**
 * Lets time pass in a page, some milliseconds at a time, until something is so: what an answer brings about waits for
 * the clock, too. It is looked at once each time, however long that takes.
 */
export const passUntil = (page: Page, milliseconds: number, isSo: () => Promise<boolean>) =>
  expect(async () => {
    await page.clock.runFor(milliseconds);
    expect(await isSo()).toBe(true);
  }).toPass({ intervals: [100, 250] });

/**
 * Opens a page whose clock only moves when told to, once it has come to life. It is less than a minute old by then:
 * where the first news come later, everything is asked for anew (app/live/live-tab.ts).
 */
export async function openStill(page: Page, path: string) {
  await page.clock.install();
  await page.goto(path);
  await page.clock.pauseAt(Date.now() + 20_000);
}
