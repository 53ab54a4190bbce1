import type { Page } from "@playwright/test";
import { expect, test, blockLiveEvents } from "../fixtures.ts";
import { hydrated } from "../hydration.ts";
import { collectReads, countReads } from "../reads.ts";
import { setVisibility } from "../live-steps.ts";

const readFlags = (page: Page) => page.evaluate(() => Object.fromEntries(Object.entries(localStorage)));

// specification: 2.43, 3.22, 4.2
test("local storage holds the member's id but no secret, and is cleared on sign-out", async ({ page, login }) => {
  const member = await login({ whitelisted: true });
  await page.goto("/faqs");
  await expect
    .poll(() => readFlags(page))
    .toEqual({
      user: JSON.stringify({ id: member.userId }),
      isWhitelisted: "true",
      tosAccepted: "true",
      ppAccepted: "true",
      configuration: expect.stringContaining('"referralPoints":1000'),
    });
  const visible = await page.evaluate(() => document.cookie + JSON.stringify(sessionStorage));
  expect(visible + (await page.content())).not.toContain(member.token);

  await page.goto("/auth/logout");
  await page.getByRole("main").getByRole("button", { name: "Log out" }).click();
  await expect(page).toHaveURL("/auth");
  await expect.poll(() => readFlags(page)).toEqual({});
});

test("without live events the dashboard polls every five seconds, but not while it is hidden", async ({
  page,
  login,
}) => {
  await login();
  await blockLiveEvents(page);
  const count = await countReads(page);
  await page.clock.install();
  await page.goto("/dashboard");
  await expect(page.getByRole("heading", { name: "Points log" })).toBeVisible();
  // From here on time passes only when the test says so. Requests that are due by then are sent once.
  await page.clock.pauseAt(Date.now() + 60_000);
  await expect.poll(async () => (await count()).open).toBe(0);
  const before = (await count()).begun.length;
  const reads = async () => (await count()).begun.slice(before);

  await page.clock.runFor(5000);
  await expect.poll(reads).toEqual(["/read/stats"]);
  await expect.poll(async () => (await count()).open).toBe(0);

  await setVisibility(page, "hidden");
  await page.clock.runFor(60_000);
  expect(await reads()).toEqual(["/read/stats"]);

  await setVisibility(page, "visible");
  // The header's statuses have their own intervals. The page may not have processed the last response yet: a request
  // that is still on its way when the next is due is not repeated, and comes five seconds later.
  const asked = async () => {
    await page.clock.runFor(5000);
    return (await reads()).filter((path) => path === "/read/stats").length;
  };
  await expect.poll(asked).toBeGreaterThan(1);
});

test("each ended session leads to sign-in, even if the clock was set back between two of them", async ({
  page,
  app,
  login,
}) => {
  const now = Date.now();
  await blockLiveEvents(page);
  await page.clock.install({ time: now + 86_400_000 });
  async function openAndEnd(milliseconds: number) {
    const { token } = await login();
    await page.goto("/dashboard");
    await fetch(`${app.url}/api/auth/logout`, { method: "POST", headers: { Authorization: `Bearer ${token}` } });
    await page.clock.runFor(milliseconds);
    await expect(page).toHaveURL("/auth");
    await expect(page.getByText("Your session has ended. Please sign in again.")).toBeVisible();
  }
  await openAndEnd(5000);
  await page.clock.setSystemTime(now);
  await openAndEnd(5000);
  await openAndEnd(40_000);
});

test("a page reads again a minute after its sign-out was stopped", async ({ page, login }) => {
  await login();
  await blockLiveEvents(page);
  const count = await countReads(page);
  await page.clock.install();
  await page.goto("/dashboard");
  await page.clock.pauseAt(Date.now() + 20_000);
  await expect.poll(async () => (await count()).open).toBe(0);
  const begun = async () => (await count()).begun.length;

  // As when the member presses Escape.
  await page.route("**/auth/logout", (route) => route.abort("aborted"));
  const stopped = page.waitForEvent("requestfailed");
  await page.getByRole("link", { name: "Log out" }).first().click();
  await page.getByRole("dialog").getByRole("button", { name: "Log out" }).click();
  await stopped;
  const before = await begun();
  await page.clock.runFor(50_000);
  expect(await begun()).toBe(before);
  await page.clock.runFor(15_000);
  await expect.poll(begun).toBeGreaterThan(before);
});

test("hides the page until it has reloaded when another member signs in in another tab", async ({
  page,
  context,
  app,
  login,
}) => {
  await login();
  await blockLiveEvents(page);
  await page.clock.install();
  await page.goto("/dashboard");

  const second = await app.seed.member({});
  const loaded = page.waitForEvent("load");
  await context.addCookies([{ ...second.cookie, url: app.url }]);
  await page.clock.runFor(5000);
  await loaded;

  await expect(page.getByLabel("Your referral link")).toHaveValue(new RegExp(`${second.personalCode}$`));
  // It has reloaded, and hears of other tabs once it is hydrated.
  await hydrated(page);

  // Another tab changes the member soon after. Until the page is reloaded, it shows nothing of the other member.
  await page.clock.pauseAt(Date.now() + 60_000);
  await page.evaluate(() => sessionStorage.setItem("reloadedAt", String(Date.now())));
  const third = await login();
  const other = await context.newPage();
  await other.goto("/rewards");
  await expect(page.locator("body")).toBeHidden();
  await page.clock.runFor(3000);
  await expect(page.getByLabel("Your referral link")).toHaveValue(new RegExp(`${third.personalCode}$`));
});

test("follows another member's sign-in even if the script for it is gone after an upgrade", async ({
  page,
  context,
  login,
}) => {
  await login();
  await blockLiveEvents(page);
  await page.route("**/assets/leave-*.js", (route) => route.fulfill({ status: 404 }));
  const count = await countReads(page);
  await page.clock.install();
  await page.goto("/dashboard");
  // From here on nothing is requested automatically, which would detect it, too.
  await page.clock.pauseAt(Date.now() + 60_000);
  await expect.poll(async () => (await count()).open).toBe(0);

  const second = await login();
  const other = await context.newPage();
  await other.goto("/rewards");
  await expect(page.getByLabel("Your referral link")).toHaveValue(new RegExp(`${second.personalCode}$`));
});

// specification: 2.20
test("preloads the dashboard on intent, and following the link repeats no request, not even a pending one", async ({
  page,
  login,
}) => {
  await login();
  await page.goto("/faqs");
  const { promise: answering, resolve: answer } = Promise.withResolvers<void>();
  await page.route("**/read/**", async (route) => {
    await answering;
    await route.continue();
  });
  const reads = collectReads(page);
  const link = page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Dashboard" });
  const wanted = ["/read/content-points", "/read/points-history", "/read/points-log"];

  await link.hover();
  await expect.poll(() => reads.toSorted()).toEqual(wanted);
  await link.click();
  // The previous page stays until the reads have arrived, and its link shows that it is loading.
  await expect(page.getByRole("status").filter({ hasText: "Loading the page" })).toBeAttached();
  answer();
  await expect(page.getByRole("heading", { name: "Points log" })).toBeVisible();

  expect(reads.filter((path) => path.endsWith(".data"))).toEqual([]);
  for (const path of wanted) expect(reads.filter((read) => read === path)).toEqual([path]);
});

test("the page itself loads data that failed to preload", async ({ page, app, login }) => {
  const { userId } = await login();
  await app.seed.post(userId, [{ category: "Rewards", points: 250, comment: "Follow us on X" }]);
  await page.goto("/faqs");
  await page.route("**/read/points-log*", (route) => route.fulfill({ status: 404, json: {} }));
  const refused = page.waitForResponse("**/read/points-log*");
  const link = page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Dashboard" });
  await link.hover();
  await refused;
  await page.unroute("**/read/points-log*");
  await link.click();
  await expect(page.getByRole("cell", { name: "Follow us on X" })).toBeVisible();
});

// specification: 2.6, 8.44
test("an invalid referral code also shows a toast", async ({ page }) => {
  await page.goto("/auth/signup?referralCode=abc");
  await expect(page.getByRole("region", { name: /notifications/i }).getByText("Invalid referral code")).toBeVisible();
});

test("public pages render in a browser that blocks storage", async ({ page }) => {
  await page.addInitScript(keepNothing);
  for (const [path, title] of [
    ["/auth", "Sign in"],
    ["/faqs", "Help & FAQs"],
  ] as const) {
    await page.goto(path);
    await expect(page.getByRole("heading", { level: 1, name: title })).toBeVisible();
  }
});

/**
 * Runs in the page. Refuses storage as Firefox does when cookies are blocked, except what the router itself would
 * complain about.
 */
function keepNothing() {
  for (const name of ["localStorage", "BroadcastChannel"])
    Object.defineProperty(window, name, {
      get: () => {
        throw new DOMException("The operation is insecure.", "SecurityError");
      },
    });
}
