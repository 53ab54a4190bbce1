import type { Page } from "@playwright/test";
import { expect, test } from "../fixtures.ts";

const row = (page: Page, email: string) =>
  page.getByRole("row").filter({ has: page.getByRole("cell", { name: email }) });

// specification: 2.60
test("lists friends with their progress, and what a pending friend still needs", async ({ page, app, login }) => {
  const { userId } = await login();
  const early = await app.seed.friend(userId, { heartbeats: 12 });
  const ready = await app.seed.friend(userId, { heartbeats: 100, wallet: true });
  await page.goto("/referrals");

  await expect(row(page, ready)).toContainText("Claimable");
  await expect(row(page, ready)).toContainText("Connected");
  await expect(row(page, early)).toContainText("Not yet");
  await expect(row(page, early)).toContainText("Your friend needs 88 more heartbeats and a linked wallet.");
  await expect(row(page, early).getByRole("time")).toHaveText(/^[A-Z][a-z]{2} \d{1,2}, \d{4}$/);
  const figures = page.getByRole("region", { name: "Your referrals at a glance" });
  await expect(figures).toContainText("Claimable1");
  await expect(figures).toContainText("Pending1");
});

test("the points for a friend can be claimed once, and appear everywhere", async ({ page, app, login }) => {
  const { userId } = await login();
  const ready = await app.seed.friend(userId, { heartbeats: 100, wallet: true });
  await page.goto("/referrals");
  await page.getByRole("button", { name: `Claim 1.000 points for ${ready}` }).click();

  await expect(page.getByRole("main").getByText(`You claimed 1.000 points for ${ready}.`)).toBeVisible();
  await expect(row(page, ready)).toContainText("Success");
  await expect(row(page, ready).getByRole("button")).toHaveCount(0);
  await expect(page.getByRole("banner")).toContainText("1.000");
  await page.goto("/dashboard");
  await expect(page.getByRole("cell", { name: `${ready} reached 100 heartbeats` })).toBeVisible();
});

test("claims the points for all friends at once", async ({ page, app, login }) => {
  const { userId } = await login();
  for (const _ of [1, 2, 3]) await app.seed.friend(userId, { heartbeats: 100, wallet: true });
  await app.seed.friend(userId, { heartbeats: 3 });
  await page.goto("/referrals");
  await expect(page.getByRole("row").nth(1)).toContainText("Claimable");
  await page.getByRole("button", { name: "Claim all (3)" }).click();

  await expect(page.getByRole("main").getByText("You claimed 3.000 points for 3 friends.")).toBeVisible();
  await expect(page.getByRole("row").filter({ hasText: "Success" })).toHaveCount(3);
  await expect(page.getByRole("button", { name: /Claim/ })).toHaveCount(0);
  await expect(page.getByRole("banner")).toContainText("3.000");
});

// specification: 2.61
test("filters friends by status, and lists them in pages of 5, 10 or 25", async ({ page, app, login }) => {
  const { userId } = await login();
  for (let index = 0; index < 6; index += 1) await app.seed.friend(userId, {});
  const ready = await app.seed.friend(userId, { heartbeats: 100, wallet: true });
  await page.goto("/referrals");
  await expect(page.getByRole("row")).toHaveCount(8);

  await page.getByRole("link", { name: "5", exact: true }).click();
  await expect(page).toHaveURL("/referrals?limit=5");
  await expect(page.getByRole("row")).toHaveCount(6);
  await page.getByRole("link", { name: "Next" }).click();
  await expect(page).toHaveURL("/referrals?limit=5&page=2");
  await expect(page.getByRole("row")).toHaveCount(3);

  await page.getByRole("link", { name: "Claimable", exact: true }).click();
  await expect(page).toHaveURL("/referrals?status=Claimable&limit=5");
  await expect(page.getByRole("row")).toHaveCount(2);
  await expect(row(page, ready)).toBeVisible();
  await page.getByRole("link", { name: "Success", exact: true }).click();
  await expect(page.getByRole("heading", { name: "Nothing claimed yet" })).toBeVisible();
  await page.getByRole("link", { name: "Show all friends" }).click();
  await expect(page).toHaveURL("/referrals");
});

test("says how to invite friends if there are none, and redirects from an invalid list address", async ({
  page,
  login,
}) => {
  await login();
  await page.goto("/referrals?page=9&limit=3&status=nonsense");
  await expect(page).toHaveURL("/referrals");
  await expect(page.getByRole("heading", { name: "No friends yet" })).toBeVisible();
  await expect(page.getByRole("textbox", { name: "Your referral link" })).toBeVisible();
});
