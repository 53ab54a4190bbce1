import { expect, test } from "../fixtures.ts";

// specification: 0.1, 1.1, 4.10, 4.12
test("a member signs in, is onboarded and sees the dashboard", async ({ page, app }) => {
  const member = await app.seed.member({ onboarded: false });

  await page.goto("/auth");
  await page.getByLabel("Email").fill(member.email);
  await page.getByLabel("Password", { exact: true }).fill(member.password);
  await page.getByRole("button", { name: "Sign in" }).click();

  await expect(page).toHaveURL("/dashboard");
  await expect(page.getByRole("heading", { name: "Points log" })).toBeVisible();
  await expect(page.getByRole("link", { name: "Rewards" })).toBeVisible();
});

test("a wrong password shows an error beside the field, and keeps the email", async ({ page, app }) => {
  const member = await app.seed.member({});

  await page.goto("/auth");
  await page.getByLabel("Email").fill(member.email);
  await page.getByLabel("Password", { exact: true }).fill("not the password");
  await page.getByRole("button", { name: "Sign in" }).click();

  const password = page.getByLabel("Password", { exact: true });
  await expect(password).toHaveAccessibleDescription("That email and password do not match.");
  await expect(password).toHaveAttribute("aria-invalid", "true");
  await expect(page.getByLabel("Email")).toHaveValue(member.email);
  await expect(password).toHaveValue("");

  await password.fill(member.password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page).toHaveURL("/dashboard");
});

test("sign-in leads back to the page that was requested", async ({ page, app }) => {
  const member = await app.seed.member({});

  await page.goto("/referrals");
  await expect(page.getByText("Please sign in to see that page.")).toBeVisible();
  await page.getByLabel("Email").fill(member.email);
  await page.getByLabel("Password", { exact: true }).fill(member.password);
  // As people do who use only the keyboard.
  await page.keyboard.press("Enter");

  await expect(page).toHaveURL("/referrals");
});

// specification: 2.2, 2.3
test("redirects a signed-in member from the auth pages to the dashboard", async ({ page, login }) => {
  await login();
  for (const path of ["/", "/auth", "/auth/signup", "/auth/verify", "/auth/forgot-password"]) {
    await page.goto(path);
    await expect(page).toHaveURL("/dashboard");
  }
});

// specification: 2.42, 2.44
test("logging out asks first, ends the session and leads to sign-in", async ({ page, login }) => {
  await login();
  await page.goto("/dashboard");

  await page.getByRole("navigation").getByText("Log out").filter({ visible: true }).first().click();
  await expect(page.getByRole("heading", { name: "Are you sure you want to log out?" })).toBeVisible();
  await page.getByRole("main").or(page.getByRole("dialog")).getByRole("button", { name: "Log out" }).click();

  await expect(page).toHaveURL("/auth");
  await page.goto("/dashboard");
  await expect(page).toHaveURL(/\/auth(\?|$)/);
  // The dashboard is where a sign-in leads anyway.
  await expect(page.getByText("Please sign in to see that page.")).toHaveCount(0);
});

test("Tab moves from the email to the password, and then to the link beside its label", async ({ page }) => {
  await page.goto("/auth");
  const password = page.getByLabel("Password", { exact: true });
  await page.getByLabel("Email").focus();
  await page.keyboard.press("Tab");
  await expect(password).toBeFocused();

  const forgot = page.getByRole("link", { name: "Forgot password?" });
  for (let presses = 0; presses < 2; presses += 1) {
    await page.keyboard.press("Tab");
    if (await forgot.evaluate((link) => link === document.activeElement)) break;
  }
  await expect(forgot).toBeFocused();
  const [link, label, field] = await Promise.all(
    [forgot, page.locator("label", { hasText: "Password" }), password].map((each) => each.boundingBox()),
  );
  expect(Math.abs((link?.y ?? NaN) - (label?.y ?? NaN))).toBeLessThan(3);
  expect((link?.x ?? 0) + (link?.width ?? 0)).toBeCloseTo((field?.x ?? 0) + (field?.width ?? 0), 0);
});
