import type { Page } from "@playwright/test";
import { expect, test, blockLiveEvents } from "../fixtures.ts";
import { connected } from "../live-steps.ts";
import { collectReads } from "../reads.ts";

/** Opens a page without live events, so that it learns only from other tabs what happens there. */
async function open(page: Page, path: string) {
  await blockLiveEvents(page);
  await page.goto(path);
}

async function signIn(page: Page, { email, password }: { email: string; password: string }) {
  await page.goto("/auth");
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page).toHaveURL("/dashboard");
}

test("a tab that finds its session ended takes every other tab to sign-in", async ({ page, context, app, login }) => {
  const member = await login();
  await open(page, "/rewards");
  const other = await context.newPage();
  await open(other, "/faqs");
  await fetch(`${app.url}/api/auth/logout`, { method: "POST", headers: { Authorization: `Bearer ${member.token}` } });

  // The first tab may find out by itself when it loses the focus, and then redirects this one while it loads.
  await expect(async () => {
    await other.goto("/profile");
    await expect(other).toHaveURL(/\/auth\?redirectTo=%2Fprofile$/);
  }).toPass();
  await expect(page).toHaveURL(/\/auth\?redirectTo=%2Frewards$/);
});

test("a visitor's page that comes alive after a sign-in leaves the member's pages as they are", async ({
  page,
  context,
  login,
}) => {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const other = await context.newPage();
  await other.route("**/*.js", async (route) => {
    await released;
    await route.continue();
  });
  await other.goto("/faqs", { waitUntil: "commit" });
  await expect(other.getByRole("heading", { level: 1, name: "Help & FAQs" })).toBeVisible();

  await login();
  await Promise.all([connected(page), page.goto("/profile")]);
  await page.getByLabel("Full name").fill("Ada Lovelace");
  const asked = connected(page);
  release();
  await asked;
  // A page that is left has begun to keep what was typed by then.
  await page.evaluate(() => fetch("/healthz"));
  await expect(page.getByLabel("Full name")).toHaveValue("Ada Lovelace");
  await expect(page).toHaveURL("/profile");
});

test("signing in in one tab takes an open sign-in page to the dashboard", async ({ page, context, app }) => {
  const member = await app.seed.member({});
  await open(page, "/auth");

  const other = await context.newPage();
  await signIn(other, member);
  await expect(page).toHaveURL("/dashboard");
});

test("account changes show in the other tabs", async ({ page, context, login }) => {
  await login();
  await open(page, "/profile");
  await expect(page.getByText("On", { exact: true })).toBeVisible();

  const other = await context.newPage();
  await other.goto("/profile");
  const machines = other.getByRole("region", { name: "Your machines", exact: true });
  await machines.getByLabel("Name of the machine").fill("Attic");
  await machines.getByRole("button", { name: "Create a key" }).click();
  const machine = page.getByRole("listitem").filter({ hasText: "Attic" });
  await expect(machine).toBeVisible();
  await other.getByLabel("Email me when my node goes silent").selectOption("After 3 hours");
  await machines.getByRole("button", { name: "Save" }).click();
  await expect(page.getByLabel("Email me when my node goes silent")).toHaveValue("3");
  await machines.getByText("Revoke the key of Attic").click();
  await machines.getByRole("button", { name: "Revoke key of Attic" }).click();
  await expect(machine).toHaveCount(0);

  await other.getByRole("button", { name: "Turn off campaign emails" }).click();
  await expect(other.getByText("Campaign emails are off.")).toBeVisible();
  await expect(page.getByText("Off", { exact: true })).toBeVisible();
  await expect.poll(() => other.evaluate(() => document.cookie)).not.toContain("event_auth");
});

const about = (tab: Page) => tab.getByRole("region", { name: "About you", exact: true });

test("saving details in one tab keeps what is typed in another", async ({ page, context, login }) => {
  await login();
  await open(page, "/profile");
  await about(page).getByLabel("Username").fill("ada");

  const other = await context.newPage();
  await other.goto("/profile");
  await about(other).getByLabel("Full name").fill("Ada Lovelace");
  await about(other).getByRole("button", { name: "Save" }).click();
  await expect(about(page).getByLabel("Full name")).toHaveValue("Ada Lovelace");
  await expect(about(page).getByLabel("Username")).toHaveValue("ada");
});

test("reloads the sessions after the session was renewed in another tab", async ({ page, context, app, login }) => {
  await login();
  await open(page, "/profile");

  const reads = collectReads(page);
  const other = await context.newPage();
  // Retries until the sessions card is hydrated too: it misses news that comes before that.
  await expect(async () => {
    // The cookie that a response of the read proxy sets when the API has renewed the session.
    await context.addCookies([{ name: "event_auth_1", value: "TOKEN_REFRESHED", url: app.url }]);
    await other.goto("/faqs");
    await expect.poll(() => reads, { timeout: 2_000 }).toContain("/read/sessions");
  }).toPass();
});

test("a page that waits for a mailed link says when it was opened in another tab", async ({ page, context, app }) => {
  const member = await app.seed.member({});
  await open(page, "/auth/forgot-password");
  await page.getByLabel("Email").fill(member.email);
  await page.getByRole("button", { name: "Send the link" }).click();
  await expect(page.getByRole("heading", { name: "Check your email" })).toBeVisible();

  const { link = "" } = await app.seed.mail(member.email);
  const other = await context.newPage();
  await other.goto(new URL(new URL(link).pathname + new URL(link).search, app.url).href);
  await other.getByRole("button", { name: "Choose a new password" }).click();
  await expect(other.getByLabel("New password")).toBeVisible();
  await expect(page.getByText("The link was opened in another tab.")).toBeVisible();
});
