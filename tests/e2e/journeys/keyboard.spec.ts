import type { Locator, Page } from "@playwright/test";
import { expect, test } from "../fixtures.ts";
import { hydrated } from "../hydration.ts";

const NEW_PASSWORD = "a new and longer password";

/** Presses Tab until the target has the focus, as a person who looks for it would. */
async function tabTo(page: Page, target: Locator) {
  for (let presses = 0; presses < 60; presses += 1) {
    if (await target.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press("Tab");
  }
  await expect(target).toBeFocused();
}

async function type(page: Page, target: Locator, text: string) {
  await tabTo(page, target);
  await page.keyboard.type(text);
}

async function press(page: Page, name: string) {
  await tabTo(page, page.getByRole("main").getByRole("button", { name, exact: true }));
  await page.keyboard.press("Enter");
}

test("a forgotten password can be reset with the keyboard alone", async ({ page, app, javaScriptEnabled }) => {
  const { email } = await app.seed.member({});
  await page.goto("/auth");
  await tabTo(page, page.getByRole("link", { name: "Forgot password?" }));
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL("/auth/forgot-password");
  await type(page, page.getByLabel("Email"), email);
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { name: "Check your email" })).toBeVisible();

  const { link = "" } = await app.seed.mail(email);
  await page.goto(new URL(link).pathname + new URL(link).search);
  await press(page, "Choose a new password");
  const password = page.getByLabel("New password", { exact: true });
  await type(page, password, "short");
  // Without scripts, or before they run, the browser itself shows the error.
  if (javaScriptEnabled) await hydrated(page);
  await page.keyboard.press("Enter");
  await expect(password).toBeFocused();
  if (javaScriptEnabled) await expect(password).toHaveAccessibleDescription(/Use at least 8 characters/);
  await page.keyboard.press("Control+a");
  await page.keyboard.type(NEW_PASSWORD);
  await page.keyboard.press("Enter");
  await expect(page.getByText("Your password has been changed.")).toBeVisible();
});

test("the password and the address for campaign mail can be changed with the keyboard alone", async ({
  page,
  app,
  login,
}) => {
  const member = await login();
  await page.goto("/profile");
  await type(page, page.getByLabel("Current password"), member.password);
  await type(page, page.getByLabel("New password"), NEW_PASSWORD);
  await page.keyboard.press("Enter");
  await expect(page.getByText("Your password has been changed.")).toBeVisible();

  const email = `${crypto.randomUUID()}@example.org`;
  await type(page, page.getByLabel("Another address"), email);
  await page.keyboard.press("Enter");
  await expect(page.getByText("An email with a code is on its way.")).toBeVisible();
  await type(page, page.getByLabel("Code", { exact: true }), (await app.seed.mail(email)).code ?? "");
  await page.keyboard.press("Enter");
  const mail = page.getByRole("region", { name: "Campaign emails", exact: true });
  await expect(mail.getByText("Your address for campaign emails is confirmed.")).toBeVisible();
  await expect(mail).toContainText(`These emails go to ${email}`);
  await expect(mail.getByLabel("Code", { exact: true })).toHaveCount(0);
});
