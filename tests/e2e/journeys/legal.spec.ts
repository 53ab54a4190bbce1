import { expect, test } from "../fixtures.ts";

const TERMS = "Updated Terms of Service";
const PRIVACY = "Updated Privacy Policy";

// specification: 1.9, 2.45, 2.47, 2.49, 2.52, 4.15, 8.41, 8.43
test("a whitelisted member accepts the terms and then the privacy policy, and stays on the page", async ({
  page,
  login,
}) => {
  await login({ whitelisted: true, accepted: [] });
  await page.goto("/referrals");

  const terms = page.getByRole("dialog", { name: TERMS });
  await expect(terms).toBeVisible();
  await terms.getByLabel("I accept the updated Terms of Service").check();
  await terms.getByRole("button", { name: "Continue" }).click();
  await expect(page.getByText("Terms of Service accepted successfully").first()).toBeVisible();

  const privacy = page.getByRole("dialog", { name: PRIVACY });
  await expect(privacy).toBeVisible();
  await privacy.getByLabel("I accept the updated Privacy Policy").check();
  await privacy.getByRole("button", { name: "Continue" }).click();
  await expect(page.getByText("Privacy Policy accepted successfully").first()).toBeVisible();
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await expect(page).toHaveURL("/referrals");

  await page.goto("/referrals");
  await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Profile" }).click();
  await expect(page).toHaveURL("/profile");
  await expect(page.getByRole("dialog")).toHaveCount(0);
});

// specification: 5.5, 5.6, 5.7
test("the terms dialog blocks the page behind it, and requires the box to be checked", async ({
  page,
  login,
  javaScriptEnabled,
}) => {
  await login({ whitelisted: true, accepted: [] });
  await page.goto("/dashboard");
  const terms = page.getByRole("dialog", { name: TERMS });
  const proceed = terms.getByRole("button", { name: "Continue" });
  const message = "You must accept the Terms of Service to continue.";
  if (javaScriptEnabled) await expect(proceed).toBeDisabled();
  await expect(page.locator("[inert]").getByRole("link", { name: "Profile" })).toHaveCount(1);
  await page.keyboard.press("Tab");
  await expect(terms.getByRole("link", { name: "Read the Terms of Service" })).toBeFocused();

  if (javaScriptEnabled) {
    await terms.getByRole("checkbox").check();
    await terms.getByRole("checkbox").uncheck();
    await expect(proceed).toBeDisabled();
  } else {
    await proceed.click();
    await expect(terms.getByRole("checkbox")).toBeFocused();
  }
  await expect(terms.getByRole("checkbox")).toHaveAccessibleDescription(message);
  await expect(page).toHaveURL("/dashboard");
});

test("a member who does not accept the terms can read them and log out", async ({ page, login }) => {
  await login({ whitelisted: true, accepted: [] });
  await page.goto("/faqs");
  const opened = page.waitForEvent("popup");
  await page.getByRole("dialog").getByRole("link", { name: "Read the Terms of Service" }).click();
  const document = await opened;
  await expect(document.getByRole("heading", { name: "Points are not money" })).toBeVisible();
  await expect(document.getByRole("dialog")).toHaveCount(0);
  await document.close();

  await page.getByRole("dialog").getByRole("button", { name: "Log out" }).click();
  await expect(page).toHaveURL("/auth");
});

// specification: 2.50, 2.51, 4.20
test("the privacy policy can be closed, and stays closed until the browser session ends", async ({
  page,
  login,
  context,
}) => {
  await login({ accepted: [] });
  await page.goto("/dashboard");
  await page.getByRole("dialog", { name: PRIVACY }).getByRole("button", { name: "Close" }).click();
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await expect(page).toHaveURL("/dashboard");

  await page.goto("/faqs");
  await expect(page.getByRole("heading", { level: 1 })).toHaveAccessibleName("Help & FAQs");
  await expect(page.getByRole("dialog")).toHaveCount(0);

  await context.clearCookies({ name: "ppSkipped" });
  await page.goto("/faqs");
  await expect(page.getByRole("dialog", { name: PRIVACY })).toBeVisible();
});

test("the legal documents are linked from sign-in and help, and keep their older versions", async ({ page }) => {
  await page.goto("/auth");
  await page.getByRole("contentinfo").getByRole("link", { name: "Privacy Policy" }).click();
  await expect(page).toHaveURL("/privacy");
  await expect(page.getByRole("heading", { level: 1 })).toHaveAccessibleName("Privacy Policy");

  await page.goto("/faqs");
  await page.getByRole("main").getByRole("link", { name: "Terms of Service" }).click();
  await expect(page).toHaveURL("/terms");
  await page.getByRole("navigation", { name: "Contents" }).getByRole("link", { name: "Fair use" }).click();
  await expect(page).toHaveURL("/terms#fair-use");
  await expect(page.getByRole("heading", { name: "Fair use" })).toBeInViewport();

  await page.goto("/terms/1");
  await expect(page.getByText("Version 1, in force from 1 July 2026")).toBeVisible();
  await expect(page.getByRole("heading", { level: 1 })).toHaveAccessibleName("Terms of Service");
});
