import type { Page } from "@playwright/test";
import type { RunningApp } from "../../support/servers/start-app.ts";
import { expect, test, blockLiveEvents } from "../fixtures.ts";

const NEW_PASSWORD = "a new and longer password";

const section = (page: Page, name: string) => page.getByRole("region", { name, exact: true });

async function signIn(page: Page, { email, password }: { email: string; password: string }, to: string) {
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page).toHaveURL(to);
}

const endSession = (app: RunningApp, token: string) =>
  fetch(`${app.url}/api/auth/logout`, { method: "POST", headers: { Authorization: `Bearer ${token}` } });

test("a member sees where they are signed in, and signs out another device", async ({ page, app, browser, login }) => {
  const member = await login();
  const elsewhere = await browser.newPage({ baseURL: app.url });
  await elsewhere.goto("/auth");
  await signIn(elsewhere, member, "/dashboard");

  await page.goto("/profile");
  const sessions = section(page, "Where you are signed in");
  await expect(sessions.getByRole("listitem")).toHaveCount(2);
  await expect(sessions.getByRole("listitem").first()).toContainText("This device");
  await expect(section(page, "Security activity")).toContainText("Signed in on a new device");

  await sessions.getByRole("button", { name: /^Sign out (?!everywhere)/ }).click();
  await expect(sessions.getByText("That device has been signed out.")).toBeVisible();
  await expect(sessions.getByRole("listitem")).toHaveCount(1);
  await expect(section(page, "Security activity")).toContainText("Signed out another device");

  // With scripts, the other browser finds out by itself, and may already be redirecting.
  await expect(async () => {
    await elsewhere.goto("/profile");
    await expect(elsewhere).toHaveURL(/\/auth\?redirectTo=%2Fprofile$/);
  }).toPass();
  await elsewhere.close();
});

test("a wrong current password shows an error beside its field; the right one changes the password", async ({
  page,
  login,
}) => {
  const member = await login();
  await page.goto("/profile");
  const password = section(page, "Email and password");
  const current = password.getByLabel("Current password");
  await current.fill("not the password");
  await password.getByLabel("New password").fill(NEW_PASSWORD);
  await password.getByRole("button", { name: "Change password" }).click();
  await expect(current).toHaveAccessibleDescription("That is not your current password.");
  await expect(current).toBeFocused();
  await expect(current).toHaveValue("");
  // Both fields are empty again, without a strength rating.
  await expect(password.getByLabel("New password")).toHaveValue("");
  await expect(password.getByText(/^(?:Strong|Good enough)$/)).toHaveCount(0);

  await current.fill(member.password);
  await password.getByLabel("New password").fill(NEW_PASSWORD);
  await password.getByRole("button", { name: "Change password" }).click();
  await expect(password.getByText("Your password has been changed.")).toBeVisible();
  await expect(current).toHaveValue("");
  await expect(password.getByLabel("New password")).toHaveValue("");
  await expect(section(page, "Security activity")).toContainText("Password changed");
});

test("/.well-known/change-password leads to the password form after signing in", async ({ page, app }) => {
  const member = await app.seed.member({ heartbeats: 1 });
  await page.goto("/.well-known/change-password");
  await page.getByLabel("Email").fill(member.email);
  await page.getByLabel("Password", { exact: true }).fill(member.password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page).toHaveURL("/profile#password");
  await expect(section(page, "Email and password")).toBeInViewport();
});

test("restores what was typed when the session ended, after signing in again", async ({ page, app, login }) => {
  const member = await login();
  // With live events the page might leave before the click: see ended-session.spec.ts.
  await blockLiveEvents(page);
  await page.goto("/profile");
  const address = `${crypto.randomUUID()}@example.org`;
  await page.getByLabel("Another address").fill(address);
  await endSession(app, member.token);
  await page.getByRole("button", { name: "Send a code" }).click();

  await expect(page).toHaveURL("/auth?redirectTo=%2Fprofile");
  await expect(page.getByText("Your session has ended.")).toBeVisible();
  await signIn(page, member, "/profile");
  await expect(page.getByLabel("Another address")).toHaveValue(address);
  await expect(page.getByText("What you typed is still here.")).toBeVisible();

  await page.reload();
  await expect(page.getByLabel("Another address")).toHaveValue("");
});

test("the unsubscribe link asks before it turns off campaign mail, which can be undone", async ({ page, login }) => {
  await login();
  await page.goto("/rewards?unsubscribe=1");
  await page.getByRole("main").getByRole("button", { name: "Turn off campaign emails" }).click();
  const said = page.getByRole("main").getByRole("status").filter({ hasText: "Campaign emails" });
  await expect(said).toHaveText("Campaign emails are off.");
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(said).toHaveText("Campaign emails are on again.");
  // The message appears only once, not also as a toast.
  await expect(page.getByRole("button", { name: "Messages" })).toHaveCount(0);

  await page.goto("/profile");
  await expect(
    section(page, "Campaign emails").getByRole("button", { name: "Turn off campaign emails" }),
  ).toBeVisible();
});
