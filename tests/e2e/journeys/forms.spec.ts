import { expect, test } from "../fixtures.ts";

// specification: 2.29, 2.32, 2.33
test("the sidebar, signing out other sessions and campaign mail each have a working form", async ({
  page,
  app,
  browser,
  login,
}) => {
  const member = await login();
  await page.goto("/profile");
  const sidebar = page.getByRole("complementary", { name: "Sidebar" });
  await sidebar.getByRole("button", { name: "Collapse the sidebar" }).click();
  await expect.poll(async () => (await sidebar.boundingBox())?.width).toBe(64);
  await page.reload();
  await expect.poll(async () => (await sidebar.boundingBox())?.width).toBe(64);
  await sidebar.getByRole("button", { name: "Expand the sidebar" }).click();
  await expect.poll(async () => (await sidebar.boundingBox())?.width).toBe(228);

  const elsewhere = await browser.newPage({ baseURL: app.url });
  await elsewhere.goto("/auth");
  await elsewhere.getByLabel("Email").fill(member.email);
  await elsewhere.getByLabel("Password", { exact: true }).fill(member.password);
  await elsewhere.getByRole("button", { name: "Sign in" }).click();
  await expect(elsewhere).toHaveURL("/dashboard");
  await page.reload();
  const sessions = page.getByRole("region", { name: "Where you are signed in", exact: true });
  await expect(sessions.getByRole("listitem")).toHaveCount(2);
  await sessions.getByRole("button", { name: "Sign out everywhere else" }).click();
  await expect(sessions.getByRole("listitem")).toHaveCount(1);
  // With scripts, the page learns of it by itself, and may already be redirecting from the dashboard to sign-in.
  // Without scripts, this visit is redirected.
  await elsewhere.goto("/profile").catch(() => elsewhere.waitForURL(/\/auth/));
  await expect(elsewhere).toHaveURL(/\/auth(?:\?|$)/);
  await elsewhere.close();

  const mail = page.getByRole("region", { name: "Campaign emails", exact: true });
  await mail.getByRole("button", { name: "Turn off campaign emails" }).click();
  await expect(mail).toContainText("You get no campaign emails.");
  await mail.getByRole("button", { name: "Turn on campaign emails" }).click();
  await expect(mail.getByRole("button", { name: "Turn off campaign emails" })).toBeVisible();
});
