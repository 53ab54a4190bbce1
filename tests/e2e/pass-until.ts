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
