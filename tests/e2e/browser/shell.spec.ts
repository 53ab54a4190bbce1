import { expect, test } from "../fixtures.ts";
import { hydrated } from "../hydration.ts";

// specification: 2.55, 2.56, 2.57, 9.7
test("copies the referral link, and says so for two seconds", async ({ page, app, context, login }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"], { origin: app.url });
  const member = await login();
  await page.clock.install();
  await page.goto("/dashboard");
  // From here on time passes only when the test says so.
  await page.clock.pauseAt(Date.now() + 20_000);

  await page.getByRole("button", { name: "Copy Link" }).click();

  await expect(page.getByRole("button", { name: "Copied!" })).toBeVisible();
  await expect(page.getByRole("status").filter({ hasText: "Copied to clipboard" })).toHaveCount(1);
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(
    `${app.url}/auth/signup?referralCode=${member.personalCode}`,
  );
  await page.clock.runFor(1999);
  await expect(page.getByRole("button", { name: "Copied!" })).toBeVisible();
  await page.clock.runFor(1);
  await expect(page.getByRole("button", { name: "Copy Link" })).toBeVisible();

  // Focusing it by hand selects all of it.
  const link = page.getByLabel("Your referral link");
  await link.focus();
  const marked = await link.evaluate(({ selectionStart, selectionEnd }: HTMLInputElement) => [
    selectionStart,
    selectionEnd,
  ]);
  expect(marked).toEqual([0, (await link.inputValue()).length]);
});

// specification: 2.29, 2.31, 2.32, 2.33
test("Ctrl+B collapses the sidebar, and a reload keeps it collapsed", async ({ page, context, login }) => {
  await login();
  await page.goto("/dashboard");
  const sidebar = page.getByRole("complementary", { name: "Sidebar" });
  await expect.poll(async () => (await sidebar.boundingBox())?.width).toBe(228);
  await hydrated(page);

  await page.keyboard.press("Control+b");
  await expect.poll(async () => (await sidebar.boundingBox())?.width).toBe(64);
  await expect
    .poll(async () => (await context.cookies()).find(({ name }) => name === "sidebar_state")?.value)
    .toBe("false");

  await page.reload();
  expect((await sidebar.boundingBox())?.width).toBe(64);
});

// specification: 2.33
test("the sidebar slides in on a small screen", async ({ page, login }) => {
  await login();
  await page.setViewportSize({ width: 700, height: 800 });
  await page.goto("/dashboard");
  await page.getByRole("button", { name: "Continue anyway" }).click();

  await page.getByRole("button", { name: "Open the menu" }).click();

  const sidebar = page.getByRole("complementary", { name: "Sidebar" });
  await expect(sidebar).toBeVisible();
  await expect.poll(async () => (await sidebar.boundingBox())?.width).toBe(288);
  await expect(sidebar.getByRole("button", { name: "Close the menu" })).toBeFocused();

  // It covers neither the page it leads to nor a window that grows.
  await sidebar.getByRole("link", { name: "Rewards" }).click();
  await expect(page).toHaveURL("/rewards");
  await expect(sidebar).toBeHidden();
  await page.getByRole("button", { name: "Open the menu" }).click();
  await expect(sidebar).toBeVisible();
  await page.setViewportSize({ width: 900, height: 800 });
  await expect(page.locator("[popover=auto]:popover-open")).toHaveCount(0);
});

// specification: 2.42
test("Escape, Cancel and a click outside the log-out dialog keep the member signed in", async ({ page, login }) => {
  await login();
  await page.goto("/dashboard");
  const dialog = page.getByRole("dialog", { name: "Are you sure you want to log out?" });

  await page.getByRole("link", { name: "Log out" }).first().click();
  await expect(dialog).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(dialog).toBeHidden();

  await page.getByRole("link", { name: "Log out" }).first().click();
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await expect(dialog).toBeHidden();

  await page.getByRole("link", { name: "Log out" }).first().click();
  await expect(dialog).toBeVisible();
  await page.mouse.click(5, 5);
  await expect(dialog).toBeHidden();
  await expect(page).toHaveURL("/dashboard");
});

test("continuing on a small screen moves the focus into the page, and is remembered for the session", async ({
  page,
  context,
  login,
}) => {
  await login();
  await page.setViewportSize({ width: 600, height: 200 });
  await page.goto("/dashboard");
  await expect(page.getByRole("dialog")).toContainText("Widen this window, zoom out, or continue anyway.");
  await page.getByRole("button", { name: "Continue anyway" }).focus();
  expect(await page.evaluate(() => scrollY)).toBeGreaterThan(0);
  await page.keyboard.press("Enter");

  await expect(page.getByRole("main")).toBeFocused();
  expect(await page.evaluate(() => scrollY)).toBe(0);
  const cookie = (await context.cookies()).find(({ name }) => name === "mobile_continued");
  expect([cookie?.value, cookie?.expires]).toEqual(["true", -1]);
});

test("updates the document title on each navigation", async ({ page, login }) => {
  await login();
  await page.goto("/dashboard");
  const pages = { Rewards: "Rewards", Referrals: "Your Referrals", Profile: "Profile", "Help & FAQs": "Help & FAQs" };
  for (const [link, title] of Object.entries(pages)) {
    await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: link }).click();
    await expect(page).toHaveTitle(`${title} · Nodebeat`);
  }
});
