import { expect, test } from "../fixtures.ts";
import { hydrated } from "../hydration.ts";

test("filters the help as the visitor types, without a request", async ({ page }) => {
  await page.goto("/faqs", { waitUntil: "networkidle" });
  await hydrated(page);
  const requests: string[] = [];
  page.on("request", (request) => requests.push(request.url()));

  await page.getByLabel("Search the answers").pressSequentially("machine id");
  await expect(page.getByText(/ of \d+ questions match “machine id”$/)).toBeVisible();
  await expect(page.getByText("What is a Machine ID?", { exact: true })).toBeVisible();
  await expect(page.getByText("When does a day begin in the charts?", { exact: true })).toBeHidden();
  expect(requests).toEqual([]);

  await page.keyboard.press("Enter");
  await expect(page).toHaveURL("/faqs?q=machine+id");

  await page.getByLabel("Search the answers").fill("");
  await expect(page.getByText("When does a day begin in the charts?", { exact: true })).toBeVisible();
  await expect(page.getByText("At midnight UTC")).toBeHidden();
  await page.goBack();
  await expect(page.getByLabel("Search the answers")).toHaveValue("");
});

test("searches for what was typed before the scripts loaded", async ({ page }) => {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  await page.route("**/assets/*.js", (route) => released.then(() => route.continue()));
  await page.goto("/faqs", { waitUntil: "commit" });
  await page.getByLabel("Search the answers").fill("machine id");
  release();
  await expect(page.getByText(/ of \d+ questions match “machine id”$/)).toBeVisible();
  await expect(page.getByLabel("Search the answers")).toHaveValue("machine id");
});

test("clearing the search, by Escape or by typing, removes it from the URL", async ({ page }) => {
  const search = page.getByLabel("Search the answers");
  for (const empty of [() => search.press("Escape"), () => search.fill("")]) {
    await page.goto("/faqs?q=wallet");
    await search.focus();
    await empty();
    await expect(search).toHaveValue("");
    await expect(search).toBeFocused();
    await expect(page).toHaveURL("/faqs");
  }
});

test("copies a link to an answer that opens that answer", async ({ page, app, context }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"], { origin: app.url });
  await page.clock.install();
  await page.goto("/faqs");
  // Stops the clock, so that a message of two seconds stays until it is checked.
  await page.clock.pauseAt(Date.now() + 20_000);
  await page.getByText("Can I change my wallet?", { exact: true }).click();

  await page.getByRole("button", { name: "Copy link to “Can I change my wallet?”" }).click();

  await expect(page.getByRole("button", { name: "Copied! to “Can I change my wallet?”" })).toBeVisible();
  const link = await page.evaluate(() => navigator.clipboard.readText());
  expect(link).toBe(`${app.url}/faqs#change-wallet`);
  await page.clock.resume();
  await page.goto("about:blank");
  await page.goto(link);
  await expect(page.getByText("You can link a wallet once and change it once")).toBeInViewport();
});
