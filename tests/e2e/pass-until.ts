import { expect, type Page } from "@playwright/test";

/**
 * Lets time pass in a page, some milliseconds per step, until something is true: updates after a response wait for the
 * clock, too. Checks once per step, however long that takes.
 */
export const advanceClockUntil = (page: Page, milliseconds: number, isSo: () => Promise<boolean>) =>
  expect(async () => {
    await page.clock.runFor(milliseconds);
    expect(await isSo()).toBe(true);
  }).toPass({ intervals: [100, 250] });

/**
 * Opens a page, and stops its clock once it is hydrated. It is less than a minute old by then: if the first live event
 * comes later, everything is read again (app/live/live-tab.ts).
 */
export async function openWithPausedClock(page: Page, path: string) {
  await page.clock.install();
  await page.goto(path);
  await page.clock.pauseAt(Date.now() + 20_000);
}
