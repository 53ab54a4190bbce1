import { expect, test } from "../fixtures.ts";

const PAGES = {
  "/dashboard": "Dashboard",
  "/agentinsights": "Agent Insights",
  "/rewards": "Rewards",
  "/referrals": "Your Referrals",
  "/profile": "Profile",
  "/faqs": "Help & FAQs",
};

for (const [path, title] of Object.entries(PAGES)) {
  // specification: 1.10, 2.35, 2.36
  test(`${path} has the shell and the title ${title}`, async ({ page, login }) => {
    await login();
    await page.goto(path);

    await expect(page).toHaveTitle(`${title} · Nodebeat`);
    await expect(page.getByRole("banner").getByRole("heading", { level: 1 })).toHaveAccessibleName(title);
    await expect(page.getByRole("navigation").getByRole("link", { name: "Dashboard" })).toBeVisible();
    await expect(page.getByRole("complementary").getByText("BETA")).toBeVisible();
  });
}

// specification: 1.11, 6.6
test("a whitelisted member sees TESTNET", async ({ page, login }) => {
  await login({ whitelisted: true });
  await page.goto("/dashboard");

  await expect(page.getByRole("complementary").getByText("TESTNET")).toBeVisible();
});

// specification: 2.19, 6.1
test("the questions are open to everyone", async ({ page }) => {
  const response = await page.goto("/faqs");

  expect(response?.status()).toBe(200);
  await expect(page).toHaveURL("/faqs");
});

test("an unknown page says so and leads home", async ({ page }) => {
  const response = await page.goto("/no-such-page");

  expect(response?.status()).toBe(404);
  await page.getByRole("main").getByRole("link").first().click();
  await expect(page).toHaveURL(/\/(auth|dashboard)/);
});

// specification: 2.23, 2.24
test("the auth pages have the slim header and no sidebar", async ({ page }) => {
  await page.goto("/auth");

  await expect(page.getByRole("banner").getByRole("link", { name: "Get started" })).toBeVisible();
  await expect(page.getByRole("link", { name: "Dashboard" })).toHaveCount(0);
});

// specification: 2.6, 8.44
test("an invalid referral code is said", async ({ page }) => {
  await page.goto("/auth/signup?referralCode=abc");

  await expect(page.getByText("Invalid referral code").first()).toBeVisible();
});

// specification: 1.13
test("a small screen gets the card, and can go on", async ({ page, login }) => {
  await login();
  await page.setViewportSize({ width: 600, height: 800 });
  await page.goto("/dashboard");

  await expect(page.getByRole("heading", { name: "Mobile version coming soon" })).toBeVisible();
  await page.getByRole("button", { name: "Continue anyway" }).click();
  await expect(page.getByRole("heading", { name: "Mobile version coming soon" })).toBeHidden();
  await expect(page.getByRole("heading", { name: "Points log" })).toBeVisible();
});
