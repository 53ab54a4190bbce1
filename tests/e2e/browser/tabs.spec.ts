import type { Page } from "@playwright/test";
import { expect, test, withoutEvents } from "../fixtures.ts";

/** How long the other tabs may take, in milliseconds. */
const AT_ONCE = 1000;

/** Once it is hydrated, a page hears of what happens in other tabs. */
const listening = (page: Page) => expect.poll(() => page.evaluate(() => localStorage.getItem("user"))).not.toBeNull();

async function signIn(page: Page, { email, password }: { email: string; password: string }) {
  await page.goto("/auth");
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page).toHaveURL("/dashboard");
}

test("signing out in one tab takes every other one to sign-in within a second", async ({ page, context, login }) => {
  await login();
  await page.goto("/dashboard");
  await listening(page);
  const third = await context.newPage();
  await third.goto("/profile");
  await expect(third.getByRole("button", { name: "Change password" })).toBeVisible();
  await listening(third);

  const other = await context.newPage();
  await other.goto("/auth/logout");
  await other.getByRole("main").getByRole("button", { name: "Log out" }).click();
  await expect(other).toHaveURL("/auth");

  await expect(page).toHaveURL("/auth", { timeout: AT_ONCE });
  await expect(third).toHaveURL("/auth?redirectTo=%2Fprofile", { timeout: AT_ONCE });
});

test("a session that one tab finds ended takes every other one to sign-in within a second", async ({
  page,
  context,
  app,
  login,
}) => {
  const member = await login();
  await withoutEvents(page);
  await page.goto("/rewards");
  await listening(page);
  const other = await context.newPage();
  await withoutEvents(other);
  await other.goto("/faqs");
  await listening(other);
  await fetch(`${app.url}/api/auth/logout`, { method: "POST", headers: { Authorization: `Bearer ${member.token}` } });

  // The first tab may find it out by itself, when it loses the focus, and then takes this one along on its way.
  await expect(async () => {
    await other.goto("/profile");
    await expect(other).toHaveURL(/\/auth\?(notice=expired&)?redirectTo=%2Fprofile$/);
  }).toPass();
  await expect(page).toHaveURL(/\/auth\?(notice=expired&)?redirectTo=%2Frewards$/, { timeout: AT_ONCE });
});

test("signing in in one tab takes an open sign-in page to the dashboard", async ({ page, context, app }) => {
  const member = await app.seed.member({});
  await page.goto("/auth");
  await page.waitForLoadState("networkidle");

  const other = await context.newPage();
  await signIn(other, member);
  await expect(page).toHaveURL("/dashboard", { timeout: AT_ONCE });
});

test("a change of the account shows in the other tabs", async ({ page, context, login }) => {
  await login();
  await page.goto("/profile");
  await expect(page.getByText("On", { exact: true })).toBeVisible();
  await listening(page);

  const other = await context.newPage();
  await other.goto("/profile");
  await other.getByRole("button", { name: "Turn off campaign mail" }).click();
  await expect(other.getByText("Campaign mail is off.")).toBeVisible();
  await expect(page.getByText("Off", { exact: true })).toBeVisible({ timeout: AT_ONCE });
  await expect.poll(() => other.evaluate(() => document.cookie)).not.toContain("auth_event");
});

test("a renewed session is read again", async ({ page, context, app, login }) => {
  await login();
  await page.goto("/profile");
  await listening(page);

  // What an answer of the read proxy carries when the API has renewed the session.
  await context.addCookies([{ name: "auth_event", value: "TOKEN_REFRESHED", url: app.url }]);
  const reading = page.waitForRequest((request) => new URL(request.url()).pathname === "/read/sessions", {
    timeout: AT_ONCE * 5,
  });
  const other = await context.newPage();
  await other.goto("/faqs");
  await reading;
});

test("a page that waits for a link to be opened says that it was", async ({ page, context, app }) => {
  const member = await app.seed.member({});
  await page.goto("/auth/forgot-password");
  await page.getByLabel("Email").fill(member.email);
  await page.getByRole("button", { name: "Send the link" }).click();
  await expect(page.getByRole("heading", { name: "Look into your mail" })).toBeVisible();
  await page.waitForLoadState("networkidle");

  const { link = "" } = await app.seed.mail(member.email);
  const other = await context.newPage();
  await other.goto(new URL(new URL(link).pathname + new URL(link).search, app.url).href);
  await other.getByRole("button", { name: "Choose a new password" }).click();
  await expect(other.getByLabel("New password")).toBeVisible();
  await expect(page.getByText("The link was opened in another tab.")).toBeVisible({ timeout: AT_ONCE });
});
