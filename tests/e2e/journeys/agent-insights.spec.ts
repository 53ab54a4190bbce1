import { expect, test } from "../fixtures.ts";

test("shows what a member's node has gathered, in total and by day, next to the whole network's", async ({
  page,
  app,
  login,
  javaScriptEnabled,
}) => {
  const { userId } = await login();
  await app.seed.jobs(userId, [
    { daysAgo: 0, kind: "profile", title: "A profile" },
    { daysAgo: 1, kind: "post", title: "A post" },
    { daysAgo: 40, kind: "comment", title: "A comment" },
  ]);
  await page.goto("/agentinsights");
  const sums = page.getByRole("region", { name: "What your node has gathered" });
  await expect(sums).toContainText("Jobs3");
  await expect(sums).toContainText("Points from jobs7,5");
  await expect(sums).toContainText("Result size4,5 kB");

  const mine = page.getByRole("region", { name: "Your node, last 30 days", exact: true });
  await expect(mine.getByRole("img", { name: "Jobs" })).toHaveAccessibleDescription(/^2 in 30 days; the most is 1, on/);
  await expect(mine.getByRole("img", { name: "Comments" })).toHaveAccessibleDescription("None on these days.");
  if (javaScriptEnabled) {
    const jobs = mine.getByRole("figure").first();
    await jobs.getByRole("img").hover();
    await expect(jobs).toContainText(/\d+ \w{3}: \d/);
    await page.mouse.move(0, 0);
    await expect(jobs).toContainText("2 in all");
  }
  await mine.getByText("Show as a table").click();
  await expect(mine.getByRole("row")).toHaveCount(31);
  await expect(page.getByRole("region", { name: "The whole network, last 30 days", exact: true })).toBeVisible();

  await page.getByRole("link", { name: "90 days" }).click();
  await expect(page).toHaveURL("/agentinsights?range=90");
  const longer = page.getByRole("region", { name: "Your node, last 90 days", exact: true });
  await expect(longer.getByRole("img", { name: "Comments" })).toHaveAccessibleDescription(/^1 in 90 days/);
});

test("says when jobs will appear if there are none yet", async ({ page, login }) => {
  await login();
  await page.goto("/agentinsights?range=nonsense");
  await expect(page.getByRole("region", { name: "Your node, last 30 days" })).toContainText(
    "Jobs appear here as soon as your node has finished some.",
  );
});

test("a member sees when their node sent heartbeats, when it missed them, and which ones were refused", async ({
  page,
  app,
  login,
  javaScriptEnabled,
}) => {
  const { userId } = await login();
  await page.goto("/agentinsights");
  await expect(page.getByRole("region", { name: "Start your node" })).toContainText("Node.js 20.3 or newer");
  const node = page.getByRole("region", { name: "Your node", exact: true });

  await app.seed.beat(userId, [hoursAgo(0), hoursAgo(2), hoursAgo(30), hoursAgo(-1), "2019-03-01T12:00:00Z"]);
  await page.reload();
  await expect(page.getByRole("region", { name: "Start your node" })).toHaveCount(0);
  await expect(node.getByText("Beating")).toBeVisible();
  await expect(node).toContainText(/Last heartbeat(?:just now|\d min ago)/);
  const day = node.getByRole("img", { name: "Uptime, last 24 hours" });
  await expect(day).toHaveAccessibleDescription(
    /^A heartbeat in \d+,\d+ % of the spans of 15 minutes; the longest gap is/,
  );
  await expect(node.getByRole("img", { name: "Uptime, last 7 days" })).toBeVisible();
  if (javaScriptEnabled) {
    await day.hover();
    await expect(node.getByRole("figure").first()).toContainText(/\d+ \w{3}, \d\d:\d\d: Missed/);
    await page.mouse.move(0, 0);
    await expect(node.getByRole("figure").first()).not.toContainText("Missed");
  }
  await node.getByText("Show as a table").press("Enter");
  const values = node.getByRole("table", { name: "Uptime of the last 7 days" });
  // A new quarter of an hour may have begun since the heartbeat, with nothing to show yet.
  await expect(values.getByRole("row").filter({ hasNotText: "Not yet" }).nth(1)).toContainText("Heartbeat");
  await expect(values.getByRole("row").last()).toContainText("Before the first heartbeat");
  const refused = node.getByRole("region", { name: "2 refused heartbeats" });
  await expect(refused).toContainText("Check the clock of this machine.");
  // In the reader's own time zone, the current year is not shown.
  await expect(refused).toContainText(
    /claimed 1 Mar 2019, .*received \d+ \w+(?: \d{4}, \d\d:\d\d UTC|, \d\d:\d\d)without/,
  );
});

const hoursAgo = (hours: number) => new Date(Date.now() - hours * 60 * 60 * 1000).toISOString();
