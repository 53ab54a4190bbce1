import type { BrowserContext, Page } from "@playwright/test";
import type { RunningApp } from "../../support/servers/start-app.ts";
import { expect, test, blockLiveEvents } from "../fixtures.ts";
import { hydrated } from "../hydration.ts";
import { connected } from "../live-steps.ts";
import { collectReads } from "../reads.ts";

/** Records what is refused in any of a browser's tabs. */
function collectRefusals(context: BrowserContext) {
  const refused: string[] = [];
  context.on("response", (response) => {
    if (response.status() === 401) refused.push(response.url());
  });
  return refused;
}

const signOutElsewhere = ({ url }: RunningApp, token: string) =>
  fetch(`${url}/api/auth/logout`, { method: "POST", headers: { Authorization: `Bearer ${token}` } });

async function signIn(page: Page, { email, password }: { email: string; password: string }) {
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Sign in" }).click();
}

test("signing out in another tab is shown in every tab, and restores what the same member had typed", async ({
  page,
  context,
  login,
}) => {
  const member = await login();
  const third = await context.newPage();
  for (const [tab, path] of [
    [page, "/profile"],
    [third, "/rewards"],
  ] as const) {
    // The server ends a stream before the browser learns that it is signed out: then the tab would only know that the
    // session has ended.
    await blockLiveEvents(tab);
    await tab.goto(path);
  }
  await page.getByLabel("Full name").fill("Ada Lovelace");
  await page.getByLabel("Another address").fill("ada@example.org");
  const reads = [collectReads(page), collectReads(third)];
  const other = await context.newPage();
  await other.goto("/auth/logout");
  await other.getByRole("main").getByRole("button", { name: "Log out" }).click();

  await expect(page).toHaveURL("/auth?redirectTo=%2Fprofile");
  await expect(third).toHaveURL("/auth?redirectTo=%2Frewards");
  expect(reads, "what was asked of anybody").toEqual([[], []]);
  for (const tab of [page, third]) await expect(tab.getByText("You signed out in another tab.")).toBeVisible();
  await page.bringToFront();
  await signIn(page, member);
  await expect(page.getByLabel("Full name")).toHaveValue("Ada Lovelace");
  await expect(page.getByLabel("Another address")).toHaveValue("ada@example.org");
  await expect(page.getByText("What you typed is still here.")).toHaveCount(2);

  await hydrated(page);
  await page.getByRole("button", { name: "Turn off campaign emails" }).click();
  await expect(page.getByText("Campaign emails are off.")).toBeVisible();
  await expect(page.getByLabel("Full name")).toHaveValue("Ada Lovelace");

  // It is still unsaved when the session ends again.
  const last = await context.newPage();
  await last.goto("/auth/logout");
  await last.getByRole("main").getByRole("button", { name: "Log out" }).click();
  await expect(page).toHaveURL("/auth?redirectTo=%2Fprofile#campaign-mail");
  await page.bringToFront();
  await signIn(page, member);
  await expect(page.getByLabel("Full name")).toHaveValue("Ada Lovelace");
});

test("tabs that learn of the sign-out before its response arrives say why the session ended", async ({
  page,
  context,
  login,
}) => {
  await login();
  const third = await context.newPage();
  for (const [tab, path] of [
    [page, "/profile"],
    [third, "/rewards"],
  ] as const) {
    await tab.goto(path);
  }
  const other = await context.newPage();
  const { promise: left, resolve: answer } = Promise.withResolvers<void>();
  await other.route("**/auth/logout", async (route) => {
    if (route.request().method() !== "POST") return route.continue();
    const response = await route.fetch({ maxRedirects: 0 });
    await left;
    await route.fulfill({ response });
  });
  await other.goto("/referrals");
  await other.getByRole("link", { name: "Log out" }).first().click();
  await other.getByRole("dialog").getByRole("button", { name: "Log out" }).click({ noWaitAfter: true });

  await page.bringToFront();
  await expect(page).toHaveURL("/auth?redirectTo=%2Fprofile");
  await expect(third).toHaveURL("/auth?redirectTo=%2Frewards");
  for (const tab of [page, third]) await expect(tab.getByText("You signed out in another tab.")).toBeVisible();
  answer();
  await expect(other).toHaveURL("/auth");
  await expect(other.locator("[data-sonner-toast]")).toHaveText("You are logged out.");
});

test("a tab that loaded the sign-in page before a notice was set does not consume it", async ({
  page,
  context,
  app,
}) => {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  await page.route("**/*.js", async (route) => {
    await released;
    await route.continue();
  });
  await page.goto("/auth", { waitUntil: "commit" });
  await expect(page.getByLabel("Email")).toBeVisible();
  await context.addCookies([{ name: "note_sign-in_1", value: "signed-out", url: app.url }]);
  release();
  await hydrated(page);

  const other = await context.newPage();
  await other.goto("/auth");
  await expect(other.getByText("You signed out in another tab.")).toBeVisible();
});

test("a session ended on another device signs out every tab at once, without a rejected request", async ({
  page,
  context,
  app,
  login,
}) => {
  const refused = collectRefusals(context);
  // Each tab's request every ten seconds may fall between the end of the session and the news of it.
  await context.route("**/read/machine-id-status*", (route) => route.fulfill({ json: { status: null } }));
  const member = await login();
  await Promise.all([connected(page), page.goto("/profile")]);
  const other = await context.newPage();
  await other.goto("/referrals");
  await page.getByLabel("Full name").fill("Grace Hopper");
  const kept: string[] = [];
  page.on("request", (request) => {
    if (request.url().includes("/profile/draft")) kept.push(request.postData() ?? "");
  });
  await signOutElsewhere(app, member.token);

  await expect(page).toHaveURL("/auth?redirectTo=%2Fprofile");
  expect(kept, "the form that was typed into").toEqual([expect.stringContaining("Grace Hopper")]);
  await expect(other).toHaveURL("/auth?redirectTo=%2Freferrals");
  for (const tab of [page, other]) {
    await expect(tab.getByText("Your session has ended. Please sign in again.")).toBeVisible();
  }
  expect(refused).toEqual([]);
  await signIn(page, member);
  await expect(page.getByLabel("Full name")).toHaveValue("Grace Hopper");
});

test("what one member typed is not restored for another member", async ({ page, context, app, login }) => {
  await login();
  await page.goto("/profile");
  await page.getByLabel("Full name").fill("Ada Lovelace");
  const other = await context.newPage();
  await other.goto("/auth/logout");
  await other.getByRole("main").getByRole("button", { name: "Log out" }).click();
  await expect(page).toHaveURL("/auth?redirectTo=%2Fprofile");
  await signIn(page, await app.seed.member({}));
  await expect(page).toHaveURL("/profile");
  await expect(page.getByLabel("Full name")).toHaveValue("");
});

test("a page signs out even if another tab that leaves never gets away", async ({ page, context, app, login }) => {
  const { token } = await login();
  await page.goto("/dashboard");
  const stuck = await context.newPage();
  await stuck.goto("/robots.txt");
  await stuck.evaluate(
    () => new Promise<void>((hold) => void navigator.locks.request("leave", () => new Promise(() => hold()))),
  );
  await signOutElsewhere(app, token);
  await page.bringToFront();
  await expect(page).toHaveURL("/auth");
  await expect(page.getByText("Your session has ended.")).toBeVisible();
});

test("a page signs out even if the browser rejects Web Locks", async ({ page, app, login }) => {
  const { token } = await login();
  await page.addInitScript(() => {
    LockManager.prototype.request = () => Promise.reject(new DOMException("Refused", "SecurityError"));
  });
  await page.goto("/dashboard");
  await signOutElsewhere(app, token);
  await expect(page).toHaveURL("/auth");
  await expect(page.getByText("Your session has ended.")).toBeVisible();
});
