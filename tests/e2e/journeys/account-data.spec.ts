import { readFile } from "node:fs/promises";
import { expect, test } from "../fixtures.ts";

test("a member downloads their data as a file, and stays on the page", async ({ page, app, login }) => {
  const { userId, email } = await login();
  await app.seed.post(userId, [{ category: "Rewards", points: 250, comment: "Follow us on X" }]);
  await page.goto("/profile");
  const downloading = page.waitForEvent("download");
  await page.getByRole("button", { name: "Download my data" }).click();
  const download = await downloading;

  expect(download.suggestedFilename()).toMatch(/^nodebeat-data-export-\d{4}-\d\d-\d\d\.json$/);
  const data: unknown = JSON.parse(await readFile(await download.path(), "utf8"));
  expect(data).toMatchObject({
    format: "nodebeat-data-export",
    profile: [{ id: userId, email }],
    points_ledger: [{ points: 250, comment: "Follow us on X" }],
  });
  await expect(page).toHaveURL("/profile");
});

test("a member requests deletion, sees a banner on every page, gets an email, and can still keep the account", async ({
  page,
  app,
  javaScriptEnabled,
  login,
}) => {
  const { email, password } = await login();
  await page.goto("/profile");
  await page.getByRole("link", { name: "Delete my account…" }).click();
  await expect(page).toHaveURL("/profile/delete");
  await page.getByRole("checkbox", { name: "I understand what is deleted and what stays." }).check();
  await page.getByLabel("Your password", { exact: true }).fill("not the password");
  await page.getByRole("button", { name: "Delete my account" }).click();
  await expect(page.getByLabel("Your password", { exact: true })).toHaveAccessibleDescription(
    "That is not your password.",
  );
  await expect(page.getByLabel("Your password", { exact: true })).toHaveValue("");
  await page.getByLabel("Your password", { exact: true }).fill(password);
  await page.getByRole("checkbox").check();
  await page.getByRole("button", { name: "Delete my account" }).click();

  const banner = page.getByRole("form", { name: "Deletion of your account" });
  await expect(banner).toContainText(/Your account will be deleted on \d+ \w{3}(?: \d{4})?, \d\d:\d\d/);
  await expect(page).toHaveURL(/#requested$/);
  const told = page.getByRole("heading", { name: "Your account will be deleted" });
  // Without scripts the browser scrolls there, but focuses nothing.
  if (javaScriptEnabled) await expect(told).toBeFocused();
  else await expect(told).toBeInViewport();
  expect((await app.seed.mail(email)).subject).toBe("Your account will be deleted");

  await page.goto("/referrals?limit=5");
  await banner.getByRole("button", { name: "Keep my account" }).click();
  await expect(page).toHaveURL("/referrals?limit=5");
  await expect(page.getByText("Your account will not be deleted.").filter({ visible: true })).toBeVisible();
  await expect(banner).toHaveCount(0);
});
