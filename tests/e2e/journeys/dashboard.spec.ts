import { readFile } from "node:fs/promises";
import type { Page } from "@playwright/test";
import { expect, test } from "../fixtures.ts";

// specification: 2.40
test("the dashboard shows the member's own numbers, from the ledger", async ({ page, app, login }) => {
  const member = await login();
  await app.seed.post(member.userId, [
    { category: "Rewards", points: 250.5, comment: "Follow us on X" },
    { category: "Referral", points: 1000, comment: "A friend joined" },
  ]);

  await page.goto("/dashboard");

  await expect(page.getByRole("banner")).toContainText("1.250,5");
  await expect(page.getByRole("row", { name: /Rewards.*Follow us on X.*\+250,5/ })).toBeVisible();
  await expect(page.getByRole("row", { name: /Referral.*A friend joined.*\+1\.000/ })).toBeVisible();

  for (const days of [30, 90]) {
    await page.getByRole("link", { name: `${days} days` }).click();
    await expect(page.getByRole("heading", { name: `Points, last ${days} days` })).toBeVisible();
  }
});

// specification: 2.62
test("filters the points log by category and by dates", async ({ page, app, login }) => {
  const member = await login();
  await app.seed.post(member.userId, [
    { category: "Rewards", points: 250, comment: "Follow us on X" },
    { category: "Others", points: 40, comment: "Old snapshot", daysAgo: 20 },
    { category: "Connectivity", points: 25, comment: "Heartbeat" },
  ]);
  await page.goto("/dashboard");

  await page.getByRole("combobox", { name: "Category" }).selectOption("Rewards");
  await apply(page);
  await expect(page).toHaveURL(/category=Rewards/);
  await expect(page.getByRole("cell", { name: "Follow us on X" })).toBeVisible();
  await expect(page.getByRole("cell", { name: "Heartbeat" })).toHaveCount(0);

  await page.goto("/dashboard");
  await page.getByRole("button", { name: /Dates/ }).click();
  await page.getByLabel("To", { exact: true }).fill(dayAgo(10));
  await page.getByRole("button", { name: "Show", exact: true }).click();
  await expect(page.getByRole("cell", { name: "Old snapshot" })).toBeVisible();
  await expect(page.getByRole("cell", { name: "Follow us on X" })).toHaveCount(0);
  await expect(page.getByText("1–1 of 1")).toBeVisible();

  const tooLate = dayAgo(5);
  await page.getByRole("button", { name: /Dates/ }).click();
  await page.getByLabel("From", { exact: true }).fill(tooLate);
  await page.getByRole("button", { name: "Show", exact: true }).click();
  await expect(page.getByText("This is after the last date. Showing all dates.")).toBeVisible();
  await expect(page.getByLabel("From", { exact: true })).toHaveValue(tooLate);
  await expect(page.getByLabel("From", { exact: true })).toBeFocused();
  await page.getByLabel("From", { exact: true }).fill(dayAgo(30));
  await page.getByRole("button", { name: "Show", exact: true }).click();
  await expect(page.getByText("1–1 of 1")).toBeVisible();
});

test("filters the points log by a usual date range with one click", async ({ page, app, login }) => {
  const member = await login();
  await app.seed.post(member.userId, [
    { category: "Rewards", points: 250, comment: "Follow us on X", daysAgo: 2 },
    { category: "Others", points: 40, comment: "Old snapshot", daysAgo: 20 },
  ]);
  await page.goto("/dashboard");
  const ranges = page.getByRole("navigation", { name: "Usual ranges" });
  for (const [range, count] of [
    ["7 days", "1–1 of 1"],
    ["30 days", "1–2 of 2"],
  ] as const) {
    await page.getByRole("button", { name: /Dates/ }).click();
    await ranges.getByRole("link", { name: range }).click();
    await expect(page.getByText(count)).toBeVisible();
    await expect(ranges).toBeHidden();
  }
});

test("a log row explains its points, and the filtered log downloads as CSV", async ({ page, app, login }) => {
  const member = await login();
  await app.seed.post(member.userId, [{ category: "Rewards", points: 250, comment: "Follow us on X" }]);
  await app.seed.beat(member.userId, [new Date().toISOString()]);
  await page.goto("/dashboard");

  const row = page.getByRole("link", { name: "Heartbeat", exact: true });
  await expect(row).toHaveAttribute("aria-expanded", "false");
  await row.click();
  await expect(page).toHaveURL(/\?entry=/);
  await expect(row).toHaveAttribute("aria-expanded", "true");
  await expect(page.getByText(/^Each heartbeat that counts earns 25 points\./)).toBeVisible();
  await expect(page.getByText("275 points, 25 of them from Connectivity")).toBeVisible();
  await page.reload();
  await expect(page.getByText("275 points, 25 of them from Connectivity")).toBeVisible();
  await row.click();
  await expect(page.getByText("275 points, 25 of them from Connectivity")).toHaveCount(0);

  await page.getByRole("combobox", { name: "Category" }).selectOption("Rewards");
  await apply(page);
  await expect(page.getByText("Sum +250")).toBeVisible();
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("link", { name: "Download as CSV" }).click(),
  ]);
  expect(download.suggestedFilename()).toMatch(/^points-log-rewards-[\d-]+\.csv$/);
  const file = await readFile(await download.path(), "utf8");
  expect(file.split("\r\n")).toHaveLength(3);
  expect(file).toContain(",Rewards,250,Follow us on X,test,");
});

// specification: 9.16
test("pages through the points log", async ({ page, app, login }) => {
  const member = await login();
  const entries = Array.from({ length: 23 }, (_, index) => ({
    category: "Others" as const,
    points: 1,
    comment: `Entry ${index + 1}`,
    daysAgo: index,
  }));
  await app.seed.post(member.userId, entries);

  await page.goto("/dashboard");
  await expect(page.getByText("1–10 of 23")).toBeVisible();
  await page.getByRole("link", { name: "Next" }).click();
  await expect(page.getByText("11–20 of 23")).toBeVisible();
  await expect(page.getByRole("cell", { name: "Entry 11", exact: true })).toBeVisible();
  await page.getByRole("link", { name: "Next" }).click();
  await expect(page.getByText("21–23 of 23")).toBeVisible();
  await page.getByRole("link", { name: "Previous" }).click();
  await expect(page.getByText("11–20 of 23")).toBeVisible();
});

/** Without JavaScript a category is applied by the button; with it, automatically. */
async function apply(page: Page) {
  const button = page.getByRole("button", { name: "Apply" });
  if (await button.isVisible()) await button.click();
}

function dayAgo(days: number) {
  return new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);
}
