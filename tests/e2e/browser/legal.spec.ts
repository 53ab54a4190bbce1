import type { Page } from "@playwright/test";
import { expect, test, blockLiveEvents } from "../fixtures.ts";

const TERMS = "Updated Terms of Service";
const PRIVACY = "Updated Privacy Policy";

const readFlags = (page: Page) =>
  page.evaluate(() => [localStorage.getItem("tosAccepted"), localStorage.getItem("ppAccepted")]);

const isModal = (page: Page) => page.evaluate(() => document.querySelector("dialog:modal") !== null);

async function readCookie(page: Page, name: string) {
  const cookies = await page.context().cookies();
  return cookies.find((cookie) => cookie.name === name);
}

// specification: 2.46
test("the terms dialog is modal, traps the keyboard focus and cannot be dismissed", async ({ page, login }) => {
  await login({ whitelisted: true, accepted: [] });
  await page.goto("/dashboard");
  const terms = page.getByRole("dialog", { name: TERMS });
  await expect.poll(() => isModal(page)).toBe(true);
  await expect(terms).toBeFocused();

  const stops = ["Read the Terms of Service", "I accept the updated", "Log out"];
  for (const stop of stops) {
    await page.keyboard.press("Tab");
    await expect(terms.locator(":focus")).toHaveAccessibleName(new RegExp(stop));
  }

  await page.keyboard.press("Escape");
  await page.keyboard.press("Escape");
  await page.mouse.click(5, 5);
  await page.evaluate(() => document.querySelectorAll("dialog").forEach((dialog) => dialog.close()));
  await expect(terms).toBeVisible();
  await expect.poll(() => isModal(page)).toBe(true);
});

// specification: 2.48, 3.20, 3.21, 4.16, 4.18, 5.7, 8.41
test("the terms dialog shows progress while saving, and then stores the flag", async ({ page, login }) => {
  const member = await login({ whitelisted: true, accepted: ["pp"] });
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  await page.route("**/legal/terms", async (route) => {
    await released;
    await route.continue();
  });
  await page.goto("/referrals");
  const terms = page.getByRole("dialog", { name: TERMS });
  await expect.poll(() => readFlags(page)).toEqual([null, "true"]);
  await terms.getByRole("checkbox").check();
  const statusRead = page.waitForRequest("**/read/terms");
  await terms.getByRole("button", { name: "Continue" }).click();
  await expect(terms.getByRole("button", { name: "Updating..." })).toBeDisabled();
  release();

  await statusRead;
  const toasts = page.getByRole("region", { name: /notifications/i });
  await expect(toasts.getByText("Terms of Service accepted successfully")).toBeVisible();
  await expect(terms).toHaveCount(0);
  await expect(page.getByRole("main")).toBeFocused();
  expect(await readFlags(page)).toEqual(["true", "true"]);
  expect((await readCookie(page, "tosAccepted"))?.value).toBe(member.userId);
  await expect(page).toHaveURL("/referrals");
});

test.describe("while offline", () => {
  test.use({ expectedConsole: [/Failed to load resource: net::ERR_/] });

  for (const [title, action, message] of [
    [TERMS, "**/legal/terms", "Failed to update TOS acceptance. Please try again."],
    [PRIVACY, "**/legal/privacy", "Failed to update PP acceptance. Please try again."],
  ] as const) {
    // specification: 8.40, 8.42
    test(`"${title}" shows that it could not be saved, and can be submitted again`, async ({ page, login }) => {
      await login({ whitelisted: title === TERMS, accepted: title === TERMS ? ["pp"] : [] });
      await page.route(action, (route) => route.abort());
      await page.goto("/dashboard");
      const dialog = page.getByRole("dialog", { name: title });
      await dialog.getByRole("checkbox").check();
      await dialog.getByRole("button", { name: "Continue" }).click();
      await expect(dialog.getByRole("alert")).toHaveText(message);
      await expect(page.locator("[data-sonner-toast]").getByText(message)).toBeVisible();

      await page.unroute(action);
      await dialog.getByRole("button", { name: "Continue" }).click();
      await expect(dialog).toHaveCount(0);
    });
  }

  test("the privacy policy can still be closed", async ({ page, context, login }) => {
    await login({ accepted: [] });
    await page.goto("/dashboard");
    await context.setOffline(true);
    await page.getByRole("button", { name: "Close", exact: true }).click();
    await expect(page.getByRole("dialog")).toHaveCount(0);
  });
});

test("accepting after the session has ended leads to sign-in, and back to the dialog", async ({ page, app, login }) => {
  const member = await login({ whitelisted: true, accepted: [] });
  await blockLiveEvents(page);
  await page.goto("/faqs");
  await page.getByRole("dialog").getByRole("checkbox").check();
  await fetch(`${app.url}/api/auth/logout`, { method: "POST", headers: { Authorization: `Bearer ${member.token}` } });
  await page.getByRole("dialog").getByRole("button", { name: "Continue" }).click();
  await expect(page).toHaveURL("/auth?redirectTo=%2Ffaqs");
  await page.getByLabel("Email").fill(member.email);
  await page.getByLabel("Password", { exact: true }).fill(member.password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page).toHaveURL("/faqs");
  await expect(page.getByRole("dialog", { name: TERMS })).toBeVisible();
});

const WAYS: [string, (page: Page) => Promise<unknown>][] = [
  ["Escape", (page) => page.keyboard.press("Escape")],
  ["a click outside", (page) => page.mouse.click(5, 5)],
  ["its button", (page) => page.getByRole("button", { name: "Close", exact: true }).click()],
  [
    "its button after the box was unchecked",
    async (page) => {
      await page.getByRole("dialog").getByRole("checkbox").check();
      await page.getByRole("dialog").getByRole("checkbox").uncheck();
      await page.getByRole("button", { name: "Close", exact: true }).click();
    },
  ],
];

// specification: 2.50, 2.51, 4.19, 4.20, 5.9
test("the privacy policy is closed for this session by Escape, a click outside or its button", async ({
  page,
  context,
  login,
}) => {
  const member = await login({ accepted: [] });
  for (const [way, close] of WAYS) {
    await context.clearCookies({ name: "ppSkipped" });
    await page.goto("/dashboard");
    await expect.poll(() => isModal(page), way).toBe(true);
    await close(page);
    await expect(page.getByRole("dialog"), way).toHaveCount(0);
    expect(await readCookie(page, "ppSkipped"), way).toMatchObject({ value: member.userId, expires: -1 });
    expect(await readFlags(page), way).toEqual([null, null]);
  }

  const response = await page.reload();
  expect(await response?.text()).not.toContain(PRIVACY);
  await expect(page.getByRole("dialog")).toHaveCount(0);
});

// specification: 4.21
test("accepting the privacy policy clears the record that it was closed", async ({ page, app, context, login }) => {
  const member = await login({ accepted: [] });
  await context.addCookies([{ name: "ppSkipped", value: member.userId, url: app.url }]);
  await page.goto("/dashboard");
  await expect(page.getByRole("dialog")).toHaveCount(0);

  await fetch(`${app.url}/api/users/accept-pp`, {
    method: "POST",
    headers: { Authorization: `Bearer ${member.token}` },
  });
  await page.reload();
  await expect.poll(() => readFlags(page)).toEqual([null, "true"]);
  expect(await readCookie(page, "ppSkipped")).toBeUndefined();
});

test("the terms dialog is in the initial HTML, and does not move when scripts load", async ({ page, login }) => {
  await login({ whitelisted: true, accepted: [] });
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  await page.route("**/*.js", async (route) => {
    await released;
    await route.continue();
  });
  await page.goto("/dashboard", { waitUntil: "commit" });
  const terms = page.getByRole("dialog", { name: TERMS });
  await expect(terms).toBeVisible();
  await page.evaluate(async () => void (await document.fonts.ready));
  const before = await terms.boundingBox();
  release();
  await expect.poll(() => isModal(page)).toBe(true);
  expect(await terms.boundingBox()).toEqual(before);
});

// specification: 3.20, 4.15, 4.16
test("detects an outdated acceptance flag, and removes it", async ({ page, app, context, login }) => {
  const member = await login({ whitelisted: true, accepted: ["pp"] });
  await context.addCookies([{ name: "tosAccepted", value: member.userId, url: app.url }]);
  await page.addInitScript(() => localStorage.setItem("tosAccepted", "true"));
  const response = await page.goto("/dashboard");
  expect(await response?.text()).not.toContain(TERMS);

  await expect(page.getByRole("dialog", { name: TERMS })).toBeVisible();
  expect(await readFlags(page)).toEqual([null, "true"]);
  expect(await readCookie(page, "tosAccepted")).toBeUndefined();
});

test("accepting in one tab closes the dialog in the other", async ({ page, context, login }) => {
  await login({ whitelisted: true, accepted: ["pp"] });
  const other = await context.newPage();
  await other.goto("/faqs");
  await expect(other.getByRole("dialog", { name: TERMS })).toBeVisible();
  await page.goto("/dashboard");
  await page.getByRole("dialog").getByRole("checkbox").check();
  await page.getByRole("dialog").getByRole("button", { name: "Continue" }).click();
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await expect(other.getByRole("dialog")).toHaveCount(0);
});

test("a new version that takes effect while the dialog is open unchecks its box", async ({ page, login }) => {
  await login({ whitelisted: true, accepted: ["pp"] });
  await page.goto("/faqs");
  await expect.poll(() => isModal(page)).toBe(true);
  const terms = page.getByRole("dialog", { name: TERMS });
  const box = terms.getByRole("checkbox");
  await box.check();
  await expect(terms.getByRole("button", { name: "Continue" })).toBeEnabled();

  await page.route("**/read/terms", (route) => route.fulfill({ json: { istosAccepted: false, version: 99 } }));
  // As another tab sends it, which makes this one read the status again.
  await page.evaluate(() => dispatchEvent(new StorageEvent("storage", { key: "tosAccepted", newValue: "true" })));
  await expect(terms.getByRole("link", { name: "Read the Terms of Service" })).toHaveAttribute("href", "/terms/99");
  await expect(box).not.toBeChecked();
  await expect(terms.getByRole("button", { name: "Continue" })).toBeDisabled();
});

test("below 768 px the small-screen notice comes before the terms, and can be dismissed", async ({ page, login }) => {
  await login({ whitelisted: true, accepted: [] });
  await page.setViewportSize({ width: 900, height: 800 });
  await page.goto("/dashboard");
  const terms = page.getByRole("dialog", { name: TERMS });
  await expect.poll(() => isModal(page)).toBe(true);

  await page.setViewportSize({ width: 600, height: 800 });
  await expect(terms).toBeHidden();
  await page.setViewportSize({ width: 900, height: 800 });
  await expect.poll(() => isModal(page)).toBe(true);
  await expect(terms).toBeVisible();

  await page.setViewportSize({ width: 600, height: 800 });
  await page.getByRole("button", { name: "Continue anyway" }).click();
  await expect(terms).toBeVisible();
  await expect.poll(() => isModal(page)).toBe(true);
});

test("at 400 % zoom everything in the terms dialog can be reached", async ({ page, app, context, login }) => {
  await login({ whitelisted: true, accepted: ["pp"] });
  await context.addCookies([{ name: "mobile_continued", value: "true", url: app.url }]);
  await page.setViewportSize({ width: 360, height: 225 });
  await page.goto("/dashboard");
  const terms = page.getByRole("dialog", { name: TERMS });
  await expect.poll(() => isModal(page)).toBe(true);
  for (const role of ["link", "checkbox", "button"] as const) {
    const control = terms.getByRole(role).last();
    await control.scrollIntoViewIfNeeded();
    await expect(control).toBeInViewport({ ratio: 1 });
  }
  await terms.getByRole("checkbox").check();
  await terms.getByRole("button", { name: "Continue" }).click();
  await expect(terms).toHaveCount(0);
});

test("a printed document contains only its text", async ({ page }) => {
  await page.goto("/terms");
  await page.setViewportSize({ width: 700, height: 900 });
  await page.emulateMedia({ media: "print" });
  const ink = () => page.evaluate(() => getComputedStyle(document.body).color);
  const light = await ink();
  await page.evaluate(() => (document.documentElement.dataset.theme = "dark"));
  expect(await ink()).toBe(light);
  await expect(page.getByRole("heading", { name: "Points are not money" })).toBeVisible();
  await expect(page.getByRole("heading", { name: "Mobile version coming soon" })).toBeHidden();
  await expect(page.getByRole("complementary")).toBeHidden();
  await expect(page.getByRole("banner")).toBeHidden();
  await expect(page.getByRole("navigation", { name: "Contents" })).toBeHidden();
});
