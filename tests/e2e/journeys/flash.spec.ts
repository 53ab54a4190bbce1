import { expect, test } from "../fixtures.ts";

test("shows the result of an action once, on the page that it leads to", async ({ page, context, login }) => {
  await login();
  await page.goto("/auth/logout");
  await page.getByRole("main").getByRole("button", { name: "Log out" }).click();

  await expect(page).toHaveURL("/auth");
  await expect(page.getByText("You are logged out.").filter({ visible: true })).toBeVisible();
  expect((await context.cookies()).map(({ name }) => name)).not.toContainEqual(expect.stringMatching(/^note_/));

  await page.reload();
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await expect(page.getByText("You are logged out.")).toHaveCount(0);
});

test("shows the result of an action on a member's page, too", async ({ page, context, app, login }) => {
  await login();
  await context.addCookies([{ name: "note_toast_1", value: "log-unavailable", url: app.url }]);
  await page.goto("/dashboard");
  await expect(page.getByText("The file could not be created.").filter({ visible: true })).toBeVisible();
});
