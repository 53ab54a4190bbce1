import type { Page } from "@playwright/test";
import { startApp, type RunningApp } from "../../support/servers/start-app.ts";
import { expect, test } from "../fixtures.ts";

// The browser itself logs failed requests.
test.use({ expectedConsole: [/net::ERR_/] });
// Runs the tests one after the other in one worker, so they start only one more server.
test.describe.configure({ mode: "default" });

/** These tests' own server, so that what happens to it affects no others. */
let own: RunningApp;
test.beforeAll(async () => {
  own = await startApp();
});
test.afterEach(() => {
  try {
    thaw();
  } catch {
    // The server has ended already.
  }
});
test.afterAll(() => own.close());

const banner = (page: Page) => page.getByRole("status").filter({ hasText: "The server does not answer" });

/** Opens a page of that server as a member. */
async function open(page: Page, path: string) {
  const { cookie } = await own.seed.member({});
  await page.context().addCookies([{ ...cookie, url: own.url }]);
  await page.goto(own.url + path);
}

const freeze = () => process.kill(own.pid, "SIGSTOP");
const thaw = () => process.kill(own.pid, "SIGCONT");

test("reports a frozen server, keeps what was typed, and submits it exactly once when the server is back", async ({
  page,
}) => {
  await open(page, "/profile");
  const sent: string[] = [];
  page.on("request", (request) => {
    if (request.method() === "POST") sent.push(new URL(request.url()).pathname);
  });
  const name = page.getByLabel("Full name");
  const save = page.getByRole("region", { name: "About you" }).getByRole("button", { name: "Save" });
  await name.fill("Ada");
  freeze();
  await expect(banner(page)).toContainText("Pages you have opened still work, and what you type is kept.");
  await save.click();
  await expect(banner(page)).toContainText("so nothing was sent. What you typed is kept");
  await expect(name).toHaveValue("Ada");
  expect(sent).toEqual([]);

  thaw();
  await expect(banner(page)).toHaveCount(0);
  await expect(name).toHaveValue("Ada");
  await save.click();
  await expect(page.getByText("Your details have been saved.")).toBeVisible();
  expect(sent).toHaveLength(1);
});

test("a visitor's form submitted before the outage is detected keeps its fields", async ({ page }) => {
  await page.goto(`${own.url}/auth`);
  await page.getByLabel("Email").fill("ada@nodebeat.test");
  await page.getByLabel("Password", { exact: true }).fill("what was typed");
  freeze();
  await page.getByRole("button", { name: "Sign in" }).dblclick();
  await expect(banner(page)).toContainText("so nothing was sent");
  await expect(page.getByLabel("Password", { exact: true })).toHaveValue("what was typed");
  thaw();
  await expect(banner(page)).toHaveCount(0);
});

test("a form without fields, such as a claim, waits for a frozen server, and is then sent", async ({ page }) => {
  const member = await own.seed.member({});
  await own.seed.friend(member.userId, { heartbeats: 100, wallet: true });
  await page.context().addCookies([{ ...member.cookie, url: own.url }]);
  await page.goto(`${own.url}/referrals`);
  const claim = page.getByRole("button", { name: /^Claim \S+ points/ }).first();
  freeze();
  await claim.click();
  await expect(banner(page)).toBeVisible();
  await expect(banner(page)).not.toContainText("nothing was sent");
  await expect(claim).toBeVisible();
  thaw();
  await expect(page.getByText(/^You claimed/)).toBeVisible();
  await expect(banner(page)).toHaveCount(0);
});

test("a page requested from a frozen server loads when the server resumes", async ({ page }) => {
  await open(page, "/faqs");
  const rewards = page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Rewards" });
  freeze();
  await rewards.click();
  await expect(banner(page)).toBeVisible();
  thaw();
  await expect(page).toHaveURL(/\/rewards$/);
  await expect(banner(page)).toHaveCount(0);
});

test("a page that the server could not deliver says so, and opens when the server is back", async ({ page }) => {
  await open(page, "/faqs");
  await page.route(/\/healthz|\.data|\/read\//, (route) => route.abort());
  await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Rewards" }).click();
  const main = page.getByRole("main");
  await expect(main.getByRole("heading", { name: "The server does not answer" })).toBeVisible();
  await expect(main).toContainText("This page opens by itself once it does.");
  await page.unroute(/\/healthz|\.data|\/read\//);
  await expect(main.getByRole("heading", { name: "The server does not answer" })).toHaveCount(0);
  await expect(page.getByRole("heading", { level: 1, name: "Rewards" })).toBeVisible();
});

// Runs last, because it stops the server.
test("reports a server that is gone", async ({ page }) => {
  await open(page, "/dashboard");
  await own.close();
  await expect(banner(page)).toBeVisible();
});
