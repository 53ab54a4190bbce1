import { expect, test } from "../fixtures.ts";

test("searches the help page, and leads back from a search without results", async ({ page }) => {
  await page.goto("/faqs");
  await expect(page.getByText(/^\d+ questions$/)).toBeVisible();
  await expect(page.getByText("starts with 1.000 extra points")).toBeHidden();

  await page.getByLabel("Search the answers").fill("friend extra");
  await page.getByRole("button", { name: "Search" }).click();
  await expect(page).toHaveURL("/faqs?q=friend+extra");
  await expect(page.getByText(/^1 of \d+ questions matches /)).toBeVisible();
  await expect(page.getByText("starts with 1.000 extra points")).toBeVisible();
  await expect(page.locator("mark").first()).toHaveText("friend");

  await page.getByLabel("Search the answers").fill("zebra");
  await page.getByRole("button", { name: "Search" }).click();
  await page.getByRole("link", { name: "Show all questions" }).click();
  await expect(page).toHaveURL("/faqs");
  await expect(page.getByText(/^\d+ questions$/)).toBeVisible();
  await expect(page.getByLabel("Search the answers")).toHaveValue("");
});

test("a link to an answer opens it below the header", async ({ page }) => {
  await page.goto("/faqs#signed-out");

  await expect(page.getByText("A session ends after 14 days without use")).toBeInViewport();
  await expect(page.getByText("Why was I signed out?", { exact: true })).toBeInViewport();
  const question = await page.getByText("Why was I signed out?", { exact: true }).boundingBox();
  expect(question?.y).toBeGreaterThan(60);
  await expect(page.getByText("Select “Forgot password?” on the sign-in page")).toBeHidden();
});
