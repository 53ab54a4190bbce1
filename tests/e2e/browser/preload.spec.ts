import { expect, test } from "../fixtures.ts";
import { openWithPausedClock, advanceClockUntil } from "../pass-until.ts";

// specification: 2.20
test("focusing a link by keyboard preloads its data, as resting the pointer on it does", async ({ page, login }) => {
  await login();
  await page.goto("/faqs");
  const read = page.waitForRequest("**/read/points-log*");

  await page.getByRole("link", { name: "Skip to the content" }).focus();
  await page.keyboard.press("Tab");
  await page.keyboard.press("Tab");
  await expect(page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Dashboard" })).toBeFocused();
  await read;
});

/** What each page reads that neither its shell nor the FAQs have read. For the dashboard see session.spec.ts. */
const READS = {
  "Agent Insights": ["daily-jobs", "data-stats", "network-jobs", "refused-beats", "uptime", "uptime"],
  Rewards: ["heartbeat-status", "submissions"],
  Referrals: ["referrals", "referrals", "referrals", "referrals", "referrals", "referrals"],
  Profile: [
    "campaign-mail",
    "devices",
    "machine-timeline",
    "node-pass",
    "security-activity",
    "sessions",
    "silence-mail",
    "smart-id-requirements",
    "wallet-change-eligibility",
  ],
};

for (const [name, wanted] of Object.entries(READS)) {
  // specification: 2.12, 2.15, 2.20
  test(`resting the pointer on the link to ${name} preloads its data, and following it sends no further request`, async ({
    page,
    login,
  }) => {
    await login();
    // While the clock stands still, no data becomes stale and the totals are not requested again.
    await openWithPausedClock(page, "/faqs");
    const asked: string[] = [];
    page.on("request", (request) => asked.push(new URL(request.url()).pathname));
    const reads = () => asked.flatMap((path) => (path.startsWith("/read/") ? [path.slice(6)] : [])).toSorted();
    const link = page.getByRole("navigation", { name: "Main" }).getByRole("link", { name });

    // A pointer that only crosses the link does not count.
    await link.hover();
    await page.clock.runFor(99);
    expect(reads()).toEqual([]);
    await page.clock.runFor(1);
    await expect.poll(reads).toEqual(wanted);
    await link.click();
    const title = name === "Referrals" ? "Your Referrals" : name;
    // Updates after a response wait for the clock, too.
    await advanceClockUntil(page, 50, () =>
      page.getByRole("heading", { level: 1, name: title, exact: true }).isVisible(),
    );
    await expect(page.getByRole("main").locator(".card").nth(1)).toBeVisible();

    expect(asked.filter((path) => path.endsWith(".data"))).toEqual([]);
    expect(reads()).toEqual(wanted);
  });
}

test("resting the pointer on a link preloads the page's code; its loader runs once, when it is followed", async ({
  page,
  login,
}) => {
  await login();
  await openWithPausedClock(page, "/status");
  const asked: string[] = [];
  page.on("request", (request) => asked.push(new URL(request.url()).pathname));
  const link = page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Help & FAQs" });
  const heading = page.getByRole("heading", { level: 1, name: "Help & FAQs", exact: true });

  await link.hover();
  await page.clock.runFor(100);
  await expect.poll(() => asked.filter((path) => path.includes("/faqs.route-"))).toHaveLength(1);
  await link.click();
  await advanceClockUntil(page, 50, () => heading.isVisible());
  expect(asked.filter((path) => path.endsWith(".data"))).toEqual(["/faqs.data"]);
});
