import type { Page } from "@playwright/test";
import { checkHtml } from "../../support/check-html.ts";
import { hasHtmlChecker } from "../../support/html-checker.mjs";
import { ADMINISTRATION_PAGES, SHOWN_PAGES } from "../../support/shown-pages.ts";
import { expect, test } from "../fixtures.ts";
import { hydrated } from "../hydration.ts";
import { visit } from "../visit.ts";

test.skip(!hasHtmlChecker(), "Needs Java: see tests/install/html-checker.mjs.");

const VISITORS = [
  "/auth",
  "/auth/signup?referralCode=abc",
  "/auth/verify",
  "/auth/forgot-password",
  "/faqs?q=wallet",
  "/terms",
  "/privacy",
  "/node-mail?code=x",
  "/campaign-mail?code=x",
  "/status",
  "/no-such-page",
];
const MEMBERS = [
  "/dashboard",
  "/dashboard?startDate=20.11.2026",
  "/agentinsights",
  "/rewards",
  "/referrals",
  "/profile",
  "/profile/email",
  "/profile/delete",
  "/faqs",
  "/auth/logout",
];
/** For whoever has followed a mailed link. */
const RESET = "/auth/reset-password";

const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString();
const PLANTED = `<!doctype html><html lang="en"><title>Planted</title><p id="twice">One</p><p id="twice">Two</p></html>`;

test("every page is valid HTML, as the server sends it and as it stands once it has come to life", async ({
  page,
  app,
  login,
}) => {
  const paths = [...VISITORS, RESET, ...MEMBERS, "/admin/*"].map((path) => path.split("?")[0]);
  expect(paths).toEqual(expect.arrayContaining([...SHOWN_PAGES]));
  const documents = new Map([["planted", PLANTED]]);
  for (const path of VISITORS) await collect(page, path, documents);
  await page.goto(`${RESET}?token=nbl_unknown`);
  await collect(page, RESET, documents);

  const member = await login();
  await app.seed.post(member.userId, [{ category: "Rewards", points: 250, comment: "Follow us on X" }]);
  await app.seed.beat(member.userId, [hoursAgo(1), hoursAgo(30)]);
  await app.seed.jobs(member.userId, [{ daysAgo: 1, kind: "post", title: "A post" }]);
  for (const progress of [{ heartbeats: 12 }, { heartbeats: 100, wallet: true }, { heartbeats: 100, wallet: true }])
    await app.seed.friend(member.userId, progress);
  for (const path of MEMBERS) await collect(page, path, documents);
  await openEverything(page, documents);
  await app.seed.administrator(member.userId);
  for (const path of ADMINISTRATION_PAGES) await collectUnscripted(page, path, documents);

  const found = await checkHtml(documents);
  expect(found.filter((finding) => !finding.startsWith("planted"))).toEqual([]);
  expect(found).toContainEqual(expect.stringContaining("planted: Duplicate ID 'twice'"));
});

async function collect(page: Page, path: string, documents: Map<string, string>) {
  const sent = page.waitForResponse((response) => response.request().isNavigationRequest());
  await visit(page, path);
  documents.set(`${path}, as it is sent`, await (await sent).text());
  await hydrated(page);
  documents.set(`${path}, once it lives`, await page.content());
}

/** Nothing comes to life there. */
async function collectUnscripted(page: Page, path: string, documents: Map<string, string>) {
  const response = await page.goto(path);
  expect(response?.status(), path).toBe(200);
  await expect(page).toHaveURL(path);
  documents.set(path, (await response?.text()) ?? "");
}

/** What is only there once it is asked for. */
async function openEverything(page: Page, documents: Map<string, string>) {
  await visit(page, "/dashboard");
  await hydrated(page);
  await page.getByRole("link", { name: "Follow us on X" }).click();
  await expect(page.getByText("New total")).toBeVisible();
  await page.getByRole("link", { name: "Create Smart Account" }).click();
  await expect(page.getByRole("dialog", { name: "Machine ID Requirements" })).toBeVisible();
  await page.keyboard.press("Escape");
  await page.keyboard.press("Control+k");
  await expect(page.getByRole("dialog", { name: "Commands" })).toBeVisible();
  documents.set("what is opened on /dashboard", await page.content());
}
