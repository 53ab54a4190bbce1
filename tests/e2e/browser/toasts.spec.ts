import type { Page } from "@playwright/test";
import { expect, test } from "../fixtures.ts";
import { openWithPausedClock, advanceClockUntil } from "../pass-until.ts";

const region = (page: Page) => page.getByRole("region", { name: /notifications/i });
const toasts = (page: Page) => region(page).getByRole("listitem");
const shown = (page: Page) => region(page).locator('[data-sonner-toast][data-visible="true"]');

const isThere = async (page: Page, text: string) => (await toasts(page).filter({ hasText: text }).count()) > 0;

const WORDS = {
  "account-kept": "Your account will not be deleted.",
  "logged-out": "You are logged out.",
  "log-unavailable": "The file could not be created.",
  "wallet-signed-out": "You must be logged in to link a wallet",
};

/** Shows a message as an action does, through the cookie of its response, and navigates within the product. */
async function showToast(page: Page, word: keyof typeof WORDS, link: string) {
  const text = WORDS[word];
  await page.evaluate(([said]) => (document.cookie = `note_toast_1=${said}; Path=/`), [word]);
  await page.getByRole("main").getByRole("link", { name: link }).click();
  await advanceClockUntil(page, 50, () => isThere(page, text));
}

// specification: 9.15
test("a toast is 356 px wide, is announced politely and disappears after 4 s", async ({ page, context }) => {
  await openWithPausedClock(page, "/auth");
  await showToast(page, "account-kept", "Create an account");

  await expect(toasts(page)).toHaveCount(1);
  expect((await toasts(page).boundingBox())?.width).toBe(356);
  await expect(region(page)).toHaveAttribute("aria-live", "polite");
  await expect(page.getByRole("alert").filter({ hasText: WORDS["account-kept"] })).toHaveCount(0);
  expect((await context.cookies()).map(({ name }) => name)).not.toContainEqual(expect.stringMatching(/^note_/));

  await page.clock.runFor(3900);
  await expect(toasts(page)).toHaveCount(1);
  // Hidden from the reader after 4 s, and removed from the page once it has faded.
  await page.clock.runFor(100 + 200);
  await expect(toasts(page)).toHaveCount(0);
});

test("adds the first toast to an existing live region, so that it is announced", async ({ page }) => {
  await openWithPausedClock(page, "/auth");
  await page.evaluate(() => (document.cookie = "note_toast_1=account-kept; Path=/"));
  await page.getByRole("main").getByRole("link", { name: "Create an account" }).click();
  await advanceClockUntil(page, 16, async () => (await region(page).count()) > 0);
  await page.clock.runFor(100);
  expect(await toasts(page).count()).toBe(0);
  await advanceClockUntil(page, 50, () => isThere(page, WORDS["account-kept"]));
});

test("typing with Alt keeps the focus in its field while a toast is visible", async ({ page }) => {
  await openWithPausedClock(page, "/auth");
  await showToast(page, "account-kept", "Create an account");
  const email = page.getByLabel("Email");
  await email.focus();
  await page.keyboard.press("Alt+t");
  await expect(email).toBeFocused();
  await expect(page.getByRole("region", { name: "Notifications", exact: true })).toHaveCount(1);
});

test("keeps the messages of past toasts in the header, newest first", async ({ page }) => {
  await openWithPausedClock(page, "/auth");
  const open = page.getByRole("button", { name: "Messages" });
  await expect(open).toHaveCount(0);
  await showToast(page, "account-kept", "Create an account");
  await showToast(page, "log-unavailable", "Sign in");
  await showToast(page, "account-kept", "Create an account");
  await advanceClockUntil(page, 1000, async () => (await toasts(page).count()) === 0);

  await open.click();
  const said = page.getByRole("region", { name: "Messages" }).getByRole("listitem");
  await expect(said).toHaveText([WORDS["account-kept"], new RegExp(WORDS["log-unavailable"])]);
  await page.keyboard.press("Escape");
  await expect(said).toHaveCount(0);
  await expect(open).toBeFocused();
});

// specification: 9.15
test("shows at most three toasts at once, 14 px apart", async ({ page }) => {
  await openWithPausedClock(page, "/auth");
  const links = ["Create an account", "Sign in", "Create an account", "Sign in"];
  const words = ["account-kept", "logged-out", "log-unavailable", "wallet-signed-out"] as const;
  for (const [index, word] of words.entries()) await showToast(page, word, links[index] ?? "");

  await expect(shown(page)).toHaveCount(3);
  // A failure looks like one.
  await expect(toasts(page).filter({ hasText: WORDS["log-unavailable"] })).toHaveAttribute("data-type", "error");
  await expect(shown(page).filter({ hasText: WORDS["account-kept"] })).toHaveCount(0);

  // The stack opens when the pointer enters it. A pointer that was already there does not enter.
  await expect(async () => {
    await page.mouse.move(0, 0);
    await toasts(page).filter({ hasText: WORDS["wallet-signed-out"] }).hover();
    const boxes = await Promise.all((await shown(page).all()).map((toast) => toast.boundingBox()));
    const sorted = boxes.flatMap((box) => (box ? [box] : [])).toSorted((a, b) => a.y - b.y);
    const gaps = sorted
      .slice(1)
      .map((box, index) => Math.round(box.y - (sorted[index]?.y ?? 0) - (sorted[index]?.height ?? 0)));
    expect(gaps).toEqual([14, 14]);
  }).toPass();
});

for (const { distance, left } of [
  { distance: 19, left: 1 },
  { distance: 20, left: 0 },
]) {
  // specification: 9.15
  test(`swiping a toast slowly by ${distance} px ${left ? "puts it back" : "dismisses it"}`, async ({ page }) => {
    await openWithPausedClock(page, "/auth");
    await showToast(page, "account-kept", "Create an account");
    await expect.poll(async () => (await toasts(page).boundingBox())?.y).toBeLessThan(850);
    const box = await toasts(page).boundingBox();
    // Next to the text, where a pointer would select it.
    const start = { x: (box?.x ?? 0) + 300, y: (box?.y ?? 0) + 20 };

    await page.mouse.move(start.x, start.y);
    await page.mouse.down();
    // Slow, because a quick flick dismisses a toast over any distance.
    await page.clock.runFor(1000);
    await page.mouse.move(start.x + 5, start.y);
    await page.mouse.move(start.x + distance, start.y);
    await page.mouse.up();
    await page.clock.runFor(300);

    await expect(toasts(page)).toHaveCount(left);
  });
}

test.describe("offline", () => {
  // The browser itself logs failed requests.
  test.use({ expectedConsole: [/net::ERR_FAILED/] });

  test("a toast whose code fails to load appears later, and the page keeps working", async ({ page }) => {
    await openWithPausedClock(page, "/auth");
    await page.route("**/toast-parts-*.js", (route) => route.abort());
    const failed = page.waitForEvent("requestfailed");
    await page.evaluate(() => (document.cookie = "note_toast_1=account-kept; Path=/"));
    await page.getByRole("main").getByRole("link", { name: "Create an account" }).click();
    await failed;
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();

    await page.unroute("**/toast-parts-*.js");
    await advanceClockUntil(page, 1000, () => isThere(page, WORDS["account-kept"]));
  });
});
