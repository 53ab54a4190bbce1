import type { Locator, Page } from "@playwright/test";
import { installWallet } from "../../support/pages/test-wallet.ts";
import { expect, test } from "../fixtures.ts";
import { hydrated } from "../hydration.ts";
import { visit } from "../visit.ts";
import { connect, dialog, press } from "../wallet-steps.ts";

/* Tests what a page says to people who use a screen reader, as in the accessibility tree that browsers build for it. */

/**
 * Returns how many live regions a page has, and those that a screen reader would not know before they say something.
 */
const findUnheard = (page: Page) =>
  page.evaluate(() => {
    const polite = Array.from(document.querySelectorAll("output, [role=status], [aria-live=polite]"));
    const unheard = polite.filter((each) => getComputedStyle(each).display === "none");
    return { count: polite.length, unheard: unheard.map(({ outerHTML }) => outerHTML) };
  });

test("live regions exist in the page before they announce anything", async ({ page, login }) => {
  const look = async (path: string) => {
    await visit(page, path);
    await hydrated(page);
    const { count, unheard } = await findUnheard(page);
    expect(unheard, path).toEqual([]);
    expect(count, path).toBeGreaterThan(2);
  };
  for (const path of ["/auth", "/auth/signup", "/auth/forgot-password"]) await look(path);
  await login();
  for (const path of ["/dashboard", "/rewards", "/referrals", "/profile", "/profile/email", "/profile/delete"])
    await look(path);
});

test("the node's status is in a live region, and names the node", async ({ page, app, login }) => {
  const { userId } = await login();
  await app.seed.beat(userId, [new Date().toISOString()]);
  await visit(page, "/agentinsights");
  await expect(page.getByRole("region", { name: "Your node", exact: true }).getByRole("status")).toHaveText(
    "Node: Beating",
  );
});

test("rows of the points log with the same name have different descriptions", async ({ page, app, login }) => {
  const { userId } = await login();
  const now = Date.now();
  await app.seed.beat(userId, [new Date(now - 3_600_000).toISOString(), new Date(now).toISOString()]);
  await visit(page, "/dashboard");
  const links = page.getByRole("link", { name: "Heartbeat", exact: true });
  await expect(links).toHaveCount(2);
  for (const link of await links.all())
    await expect(link).toHaveAccessibleDescription(/^Connectivity Heartbeat .+, \d\d:\d\d \+25$/);
});

test("the steps of a signature are announced in an existing live region", async ({ page, context, login }) => {
  const wallet = await installWallet(context);
  await login();
  await visit(page, "/profile");
  await connect(page);
  await expect(dialog(page).getByRole("button", { name: "Sign and link" })).toBeVisible();
  const place = await dialog(page).getByRole("status").elementHandle();
  expect(await place?.textContent()).toBe("");
  wallet.answers["personal_sign"] = "hang";
  await press(page, "Sign and link");
  await expect(dialog(page).getByRole("status")).toContainText("Sign in your wallet");
  expect(await place?.textContent()).toContain("Sign in your wallet");
});

/** Returns the names of the buttons, as a screen reader lists them. */
const listNames = async (place: Locator) =>
  Array.from((await place.ariaSnapshot()).matchAll(/^\s*- '?button "(.+?)"/gm), ([, name]) => name);

test("the profile's buttons have unique accessible names", async ({ page, login }) => {
  await login();
  await visit(page, "/profile");
  await hydrated(page);
  const names = await listNames(page.getByRole("main"));
  expect(names.length).toBeGreaterThan(8);
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
});

test("a chart exposes each of its values once", async ({ page, app, login }) => {
  const { userId } = await login();
  await app.seed.post(userId, [
    { category: "Rewards", points: 250, comment: "Follow us on X" },
    { category: "Others", points: 30, comment: "A post", daysAgo: 1 },
  ]);
  await visit(page, "/dashboard");
  await hydrated(page);
  for (const [name, parts] of [
    ["Points, last 7 days", 7],
    ["Points by category", 2],
  ] as const) {
    const chart = page.getByRole("main").getByRole("group", { name, exact: true });
    const read = (await chart.ariaSnapshot()).split("\n").slice(1);
    expect(read, name).toHaveLength(parts);
    for (const line of read) expect(line, name).toMatch(/^\s+- '?img "/);
  }
});
