import type { Page } from "@playwright/test";
import { startApp, type RunningApp } from "../../support/start-app.ts";
import { expect, test as base } from "../fixtures.ts";

/** A server of its own for each test: what happens to it is nobody else's business. */
const test = base.extend<{ own: RunningApp }>({
  // oxlint-disable-next-line no-empty-pattern -- Playwright reads what a fixture needs from the pattern
  own: async ({}, use) => {
    const own = await startApp();
    await use(own);
    try {
      thaw(own);
    } catch {
      // It is gone already.
    }
    await own.close();
  },
});

// What the browser itself prints of requests that fail.
test.use({ expectedConsole: [/net::ERR_/] });

const banner = (page: Page) => page.getByRole("status").filter({ hasText: "The server does not answer" });

/** Opens a page of a member of that server. */
async function open(page: Page, own: RunningApp, path: string) {
  const { cookie } = await own.seed.member({});
  await page.context().addCookies([{ ...cookie, url: own.url }]);
  await page.goto(own.url + path);
}

const freeze = ({ pid }: RunningApp) => process.kill(pid, "SIGSTOP");
const thaw = ({ pid }: RunningApp) => process.kill(pid, "SIGCONT");

test("a frozen server is told of by itself, keeps what was typed, and gets it once when it is back", async ({
  page,
  own,
}) => {
  await open(page, own, "/profile");
  const sent: string[] = [];
  page.on("request", (request) => {
    if (request.method() === "POST") sent.push(new URL(request.url()).pathname);
  });
  const name = page.getByLabel("Full name");
  const save = page.getByRole("region", { name: "About you" }).getByRole("button", { name: "Save" });
  await name.fill("Ada");
  freeze(own);
  await expect(banner(page)).toContainText("Pages you have opened still work, and what you type is kept.");
  await save.click();
  await expect(banner(page)).toContainText("so nothing was sent. What you typed is kept");
  await expect(name).toHaveValue("Ada");
  expect(sent).toEqual([]);

  thaw(own);
  await expect(banner(page)).toHaveCount(0);
  await expect(name).toHaveValue("Ada");
  await save.click();
  await expect(page.getByText("Your details have been saved.")).toBeVisible();
  expect(sent).toHaveLength(1);
});

test("a form that is sent before anybody knows stays as it is, also on a visitor's page", async ({ page, own }) => {
  await page.goto(`${own.url}/auth`);
  await page.getByLabel("Email").fill("ada@nodebeat.test");
  await page.getByLabel("Password", { exact: true }).fill("what was typed");
  freeze(own);
  await page.getByRole("button", { name: "Sign in" }).dblclick();
  await expect(banner(page)).toContainText("so nothing was sent");
  await expect(page.getByLabel("Password", { exact: true })).toHaveValue("what was typed");
  thaw(own);
  await expect(banner(page)).toHaveCount(0);
});

test("a form without anything to type, such as a claim, waits for the server, too", async ({ page, own }) => {
  const member = await own.seed.member({});
  await own.seed.friend(member.userId, { heartbeats: 100, wallet: true });
  await page.context().addCookies([{ ...member.cookie, url: own.url }]);
  await page.goto(`${own.url}/referrals`);
  const claim = page.getByRole("button", { name: /^Claim \S+ points/ }).first();
  freeze(own);
  await claim.click();
  await expect(banner(page)).toContainText("so nothing was sent");
  await expect(claim).toBeVisible();
  thaw(own);
  await expect(banner(page)).toHaveCount(0);
  await claim.click();
  await expect(page.getByText(/^You claimed/)).toBeVisible();
});

test("a page that is on its way from a frozen server comes when that goes on", async ({ page, own }) => {
  await open(page, own, "/faqs");
  const rewards = page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Rewards" });
  freeze(own);
  await rewards.click();
  await expect(banner(page)).toBeVisible();
  thaw(own);
  await expect(page).toHaveURL(/\/rewards$/);
  await expect(banner(page)).toHaveCount(0);
});

test("a page that a server was too far gone to give says so, and opens by itself once it is back", async ({
  page,
  own,
}) => {
  await open(page, own, "/faqs");
  await page.route(/\/healthz|\.data|\/read\//, (route) => route.abort());
  await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Rewards" }).click();
  const main = page.getByRole("main");
  await expect(main.getByRole("heading", { name: "The server does not answer" })).toBeVisible();
  await expect(main).toContainText("This page opens by itself once it does.");
  await page.unroute(/\/healthz|\.data|\/read\//);
  await expect(main.getByRole("heading", { name: "The server does not answer" })).toHaveCount(0);
  await expect(page.getByRole("heading", { level: 1, name: "Rewards" })).toBeVisible();
});

test("a server that is gone is told of", async ({ page, own }) => {
  await open(page, own, "/dashboard");
  await own.close();
  await expect(banner(page)).toBeVisible();
});
