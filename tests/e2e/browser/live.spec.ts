import { setTimeout as delay } from "node:timers/promises";
import type { BrowserContext, Locator, Page } from "@playwright/test";
import type { RunningApp } from "../../support/servers/start-app.ts";
import { expect, test, blockLiveEvents } from "../fixtures.ts";
import { advanceClockUntil } from "../pass-until.ts";
import { connected, setVisibility } from "../live-steps.ts";

/** Sends a member's heartbeat through the API, dated some minutes ago so that each one counts. */
async function beat(app: RunningApp, token: string, minutesAgo = 0) {
  const timestamp = new Date(Date.now() - minutesAgo * 60_000).toISOString();
  const response = await fetch(`${app.url}/api/heartbeats`, {
    method: "POST",
    headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json" },
    body: JSON.stringify({ beats: [{ timestamp }] }),
  });
  expect(response.status).toBe(200);
}

const total = (page: Page) => page.getByRole("banner").getByText("PTS").locator("..");
const shows = (page: Page, points: number) => expect(total(page)).toHaveText(new RegExp(`^${points}\\s*PTS$`));

const says = async (target: Locator, text: RegExp) => text.test(((await target.textContent()) ?? "").trim());

const isLive = (url: string) => new URL(url).pathname === "/live";

/** Records each tab that has opened a live connection, by its first one, and the server's ids of these requests. */
function followConnections(context: BrowserContext) {
  const [openers, ids]: [Page[], string[]] = [[], []];
  context.on("request", (request) => {
    const opener = request.frame().page();
    // On a busy machine a tab may have to connect again.
    if (isLive(request.url()) && !openers.includes(opener)) openers.push(opener);
  });
  context.on("response", (response) => {
    if (isLive(response.url())) ids.push(response.headers()["x-request-id"] ?? "no id");
  });
  return { openers, ids };
}

test.use({
  contextOptions: { reducedMotion: "no-preference" },
  expectedConsole: [/net::ERR_(FAILED|INTERNET_DISCONNECTED)/],
});

test("tabs share one live connection, even if one of them is closed or hidden", async ({
  page,
  context,
  app,
  login,
}) => {
  const { openers, ids } = followConnections(context);
  const { token } = await login();
  await Promise.all([connected(page), page.goto("/dashboard")]);
  const [second, third] = [await context.newPage(), await context.newPage()];
  await second.goto("/profile");
  await third.goto("/rewards");
  await shows(third, 0);

  await beat(app, token);
  for (const tab of [page, second, third]) await shows(tab, 25);
  await expect(page.getByRole("row", { name: /Connectivity.*Heartbeat.*\+25/ })).toBeVisible();
  await expect(third.getByText("1 of 100")).toBeVisible();
  expect(openers).toEqual([page]);

  // When hidden, the first tab hands over the connection, and gets no news until it is visible again.
  const next = Promise.race([connected(second), connected(third)]);
  await setVisibility(page, "hidden");
  await next;
  await beat(app, token, 20);
  for (const tab of [second, third]) await shows(tab, 50);
  // By the time the others have the next news, the first tab would have had these.
  await beat(app, token, 40);
  for (const tab of [second, third]) await shows(tab, 75);
  await shows(page, 25);
  await setVisibility(page, "visible");
  await shows(page, 75);
  expect(openers).toHaveLength(2);

  const leader = openers[1] === second ? second : third;
  const left = leader === second ? third : second;
  await leader.close();
  await beat(app, token, 60);
  for (const tab of [page, left]) await shows(tab, 100);
  expect(openers).toHaveLength(3);
  // The log is written in batches, and includes other journeys.
  const lines = () => app.log().split("\n");
  const opened = () => lines().filter((line) => /"path":"\/live","status":200/.test(line));
  await expect.poll(() => opened().filter((line) => ids.some((id) => line.includes(id)))).toHaveLength(ids.length);
});

test("a member who was offline receives what happened in the meantime", async ({ page, context, app, login }) => {
  const { token } = await login();
  await Promise.all([connected(page), page.goto("/agentinsights")]);
  await shows(page, 0);
  await context.setOffline(true);
  await beat(app, token);
  await context.setOffline(false);
  await shows(page, 25);
});

test("the dashboard polls if there are no live events", async ({ page, app, login }) => {
  const { token } = await login();
  await blockLiveEvents(page);
  await page.clock.install();
  await page.goto("/dashboard");
  await beat(app, token);
  await advanceClockUntil(page, 200, () => says(total(page), /^25\s*PTS$/));
  await expect(page.getByRole("row", { name: /Connectivity.*Heartbeat.*\+25/ })).toBeVisible();
});

for (const reducedMotion of ["reduce", "no-preference"] as const) {
  test(`totals ${reducedMotion === "reduce" ? "stand still" : "count up"} with motion ${reducedMotion}, announced once`, async ({
    page,
    app,
    login,
  }) => {
    await page.emulateMedia({ reducedMotion });
    const { userId } = await login();
    await app.seed.post(userId, [{ category: "Rewards", points: 1000, comment: "Before" }]);
    await page.clock.install();
    // Totals change without animation until its code is there, which the first event loads.
    const motion = page.waitForResponse(/\/assets\/count-up-motion-/);
    await Promise.all([connected(page), page.goto("/dashboard")]);
    await (await motion).finished();
    // From here on frames are drawn only when the test says so, however busy the machine is.
    await page.clock.pauseAt(Date.now() + 20_000);
    await page.evaluate(recordTotals);

    await app.seed.post(userId, [{ category: "Rewards", points: 8000, comment: "After" }]);
    await advanceClockUntil(page, 200, () => says(total(page), /^9\.000\s*PTS$/));
    await advanceClockUntil(page, 200, () => says(page.locator("p[aria-live=polite]"), /^9\.000 points$/));

    const { moved, widths, said } = await page.evaluate(() => (window as unknown as { seen: Seen }).seen);
    expect(said).toEqual(["9.000 points"]);
    expect(widths).toHaveLength(1);
    if (reducedMotion === "reduce") return expect(moved).toEqual([]);
    const numbers = moved.map((text) => Number(text.replaceAll(".", "")));
    expect(numbers.length).toBeGreaterThan(3);
    expect(numbers).toEqual(numbers.toSorted((a, b) => a - b));
    expect(Math.max(...numbers)).toBeLessThanOrEqual(9000);
  });
}

type Seen = { moved: string[]; widths: number[]; said: string[] };

/**
 * Runs in the page. Records the animated digits over the header's total, its widths, and what a screen reader hears.
 */
function recordTotals() {
  const seen: Seen = { moved: [], widths: [], said: [] };
  Object.assign(window, { seen });
  const number = document.querySelector("header b > span");
  const spoken = document.querySelector("p[aria-live=polite]");
  const note = () => {
    const moving = number?.firstElementChild?.textContent;
    if (moving && seen.moved.at(-1) !== moving) seen.moved.push(moving);
    const width = number?.getBoundingClientRect().width ?? 0;
    if (seen.widths.at(-1) !== width) seen.widths.push(width);
    const said = spoken?.textContent;
    if (said && seen.said.at(-1) !== said) seen.said.push(said);
  };
  note();
  new MutationObserver(note).observe(document.body, { subtree: true, childList: true, characterData: true });
}

test("going back to a page with fresh data sends no request", async ({ page, login }) => {
  await login();
  await page.goto("/dashboard");
  await page.getByRole("link", { name: "30 days" }).click();
  await expect(page.getByRole("heading", { name: "Points, last 30 days" })).toBeVisible();

  const asked: string[] = [];
  page.on("request", (request) => asked.push(request.url()));
  await page.goBack();
  await expect(page.getByRole("heading", { name: "Points, last 7 days" })).toBeVisible();

  expect(asked.filter((url) => /points-history|dashboard\.data/.test(url))).toEqual([]);
});

test("shows a first heartbeat at once, keeps it despite a stale response, and then polls the uptime", async ({
  page,
  app,
  login,
}) => {
  const { token } = await login();
  await page.clock.install();
  // A page that takes long to arrive says little about the server's clock.
  await page.route("/agentinsights", async (route) => {
    const response = await route.fetch();
    await delay(1500);
    await route.fulfill({ response });
  });
  const stream = connected(page);
  await page.goto("/agentinsights");
  await stream;
  const node = page.getByRole("region", { name: "Your node", exact: true });
  await expect(page.getByRole("region", { name: "Start your node" })).toBeVisible();
  await expect(node).toHaveCount(0);

  // Data read before that arrives late.
  const { promise: read, resolve: noteRead } = Promise.withResolvers<void>();
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  await page.route("**/agentinsights.data*", async (route) => {
    const response = await route.fetch();
    if (route.request().method() === "GET") {
      noteRead();
      await released;
    }
    await route.fulfill({ response });
  });
  await page.getByRole("button", { name: "Create a key and show the command" }).click();
  await read;
  await beat(app, token);
  await expect(node.getByText("Beating")).toBeVisible();
  await expect(node).toContainText("just now");
  await shows(page, 25);
  release();
  await expect(page.getByRole("status").filter({ hasText: "Loading the page" })).toHaveCount(0);
  await expect(node.getByText("Beating")).toBeVisible();
  await shows(page, 25);

  // No event reports that a node falls silent: the page has to ask.
  const asked = page.waitForRequest(/\/read\/uptime\?range=last24hours/);
  await page.clock.fastForward(61_000);
  await asked;
});

test.describe("when the clocks go back", () => {
  test.use({ timezoneId: "Europe/Berlin" });

  test("two time slots that start at the same local time each get one row in the uptime table", async ({
    page,
    app,
    login,
  }) => {
    const { token } = await login();
    await beat(app, token, 40);
    const missed = ["2026-10-25T00:15:00Z", "2026-10-25T01:15:00Z"];
    await page.route("**/read/uptime?range=last7days", (route) => route.fulfill({ json: weekWithout(missed) }));
    await Promise.all([connected(page), page.goto("/agentinsights")]);
    const node = page.getByRole("region", { name: "Your node", exact: true });
    await node.getByText("Show as a table").click();
    const lines = node.getByRole("row", { name: /^25 Oct, 02:15/ });
    await beat(app, token, 20);
    await expect(lines).toHaveText([/Missed$/, /Missed$/]);
    missed.push("2026-10-25T12:00:00Z");
    await beat(app, token);
    await expect(node.getByRole("row", { name: /^25 Oct, 13:00/ })).toHaveCount(1);
    await expect(lines).toHaveCount(2);
  });
});

/** Returns the week of a node that beat in all quarter-hours except these. */
function weekWithout(missed: readonly string[]) {
  const first = Date.parse("2026-10-20T00:00:00Z");
  const at = (slot: number) => new Date(first + slot * 15 * 60_000).toISOString();
  const gaps = new Set(missed.map((time) => new Date(time).toISOString()));
  const slots = Array.from({ length: 672 }, (_, slot) => (gaps.has(at(slot)) ? "missed" : "beat"));
  const lastBeat = { at: at(671), device: null };
  return {
    range: "last7days",
    from: at(0),
    to: at(672),
    slotSeconds: 900,
    slots,
    percent: 99,
    longestGap: null,
    lastBeat,
  };
}
