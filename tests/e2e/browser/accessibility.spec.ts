import type { Page } from "@playwright/test";
import { sendCode, sendForm } from "../auth-steps.ts";
import { checkHtml } from "../../support/pages/check-html.ts";
import { hasHtmlChecker } from "../../support/pages/html-checker.mjs";
import { ADMINISTRATION_PAGES, SHOWN_PAGES } from "../../support/pages/shown-pages.ts";
import { wrongCode } from "../../support/api/wrong-code.ts";
import { expectNoFindings } from "../expect-no-findings.ts";
import { expect, test } from "../fixtures.ts";
import { hydrated } from "../hydration.ts";
import { visit } from "../visit.ts";

const VISITORS = [
  "/auth",
  "/auth/signup",
  "/auth/verify",
  "/auth/forgot-password",
  "/faqs",
  "/terms",
  "/terms/1",
  "/privacy",
  "/faqs?q=wallet",
  "/faqs?q=zebra",
  "/node-mail?code=x",
  "/campaign-mail?code=x",
  "/status",
  "/no-such-page",
];
const MEMBERS = [
  "/dashboard",
  "/dashboard?startDate=20.11.2026",
  "/dashboard?endDate=2020-01-01",
  "/agentinsights",
  "/rewards",
  "/referrals",
  "/profile",
  "/profile/email",
  "/profile/delete",
  "/faqs",
  "/auth/logout",
];

/** The page for visitors who have followed a link from an email. */
const RESET = "/auth/reset-password";

const hoursFromNow = (hours: number) => new Date(Date.now() + hours * 60 * 60 * 1000).toISOString();
const PLANTED = `<!doctype html><html lang="en"><title>Planted</title><p id="twice">One</p><p id="twice">Two</p></html>`;

// Opens each page once for both checks, because opening them takes most of the time.
test("every page outside the administration passes axe, and is valid HTML before and after hydration", async ({
  page,
  app,
  login,
}) => {
  // About forty pages, which take a busy machine some time.
  test.slow();
  const paths = [...VISITORS, RESET, ...MEMBERS, "/admin/*"].map((path) => path.split("?")[0]);
  expect(paths).toEqual(expect.arrayContaining([...SHOWN_PAGES]));
  const documents = new Map([["planted", PLANTED]]);
  for (const path of VISITORS) await look(page, path, documents);
  await page.goto(`${RESET}?token=nbl_unknown`);
  await look(page, RESET, documents);
  // Its toast comes and goes.
  await collect(page, "/auth/signup?referralCode=abc", documents);

  const { userId } = await login();
  await app.seed.post(userId, [
    { category: "Rewards", points: 250, comment: "Follow us on X" },
    { category: "Referral", points: 1000, comment: "A friend joined", daysAgo: 2 },
  ]);
  await app.seed.beat(userId, [hoursFromNow(-1), hoursFromNow(-30), hoursFromNow(1)]);
  await app.seed.jobs(userId, [{ daysAgo: 1, kind: "post", title: "A post" }]);
  for (const progress of [{ heartbeats: 12 }, { heartbeats: 100, wallet: true }, { heartbeats: 100, wallet: true }])
    await app.seed.friend(userId, progress);
  for (const path of MEMBERS) await look(page, path, documents);
  await openEverything(page, documents);
  await app.seed.administrator(userId);
  for (const path of ADMINISTRATION_PAGES) await collectUnscripted(page, path, documents);

  test.skip(!hasHtmlChecker(), "What is left needs Java: see tests/install/html-checker.mjs.");
  const found = await checkHtml(documents);
  expect(found.filter((finding) => !finding.startsWith("planted"))).toEqual([]);
  expect(found).toContainEqual(expect.stringContaining("planted: Duplicate ID 'twice'"));
});

async function look(page: Page, path: string, documents: Map<string, string>) {
  await collect(page, path, documents);
  await expectNoFindings(page);
}

async function collect(page: Page, path: string, documents: Map<string, string>) {
  const sent = page.waitForResponse((response) => response.request().isNavigationRequest());
  await visit(page, path);
  documents.set(`${path}, as it is sent`, await (await sent).text());
  await hydrated(page);
  documents.set(`${path}, once it lives`, await page.content());
}

/** Collects a page without scripts, where nothing is hydrated. */
async function collectUnscripted(page: Page, path: string, documents: Map<string, string>) {
  const response = await page.goto(path);
  expect(response?.status(), path).toBe(200);
  await expect(page).toHaveURL(path);
  documents.set(path, (await response?.text()) ?? "");
}

/** Opens what appears only on request. */
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

test("the log-out dialog and the small-screen notice pass axe", async ({ page, login }) => {
  await login();
  await visit(page, "/dashboard");
  await hydrated(page);
  await page.getByRole("link", { name: "Log out" }).first().click();
  await expect(page.getByRole("dialog")).toBeVisible();
  await expectNoFindings(page);

  await page.setViewportSize({ width: 600, height: 800 });
  await page.reload();
  await expect(page.getByRole("heading", { name: "Mobile version coming soon" })).toBeVisible();
  await expectNoFindings(page);
});

for (const [title, accepted, path] of [
  ["Updated Terms of Service", [], "/dashboard"],
  ["Updated Privacy Policy", ["tos"], "/faqs"],
] as const) {
  test(`"${title}" over ${path} passes axe, with and without its error message`, async ({ page, login }) => {
    await login({ whitelisted: true, accepted });
    await page.goto(path);
    const dialog = page.getByRole("dialog", { name: title });
    await expect(dialog).toBeFocused();
    await expectNoFindings(page);
    await dialog.getByRole("checkbox").check();
    await expectNoFindings(page);
    await dialog.getByRole("checkbox").uncheck();
    await expect(dialog.getByText("You must accept")).toBeVisible();
    await expectNoFindings(page);
  });
}

test("the pages of the sign-up flow pass axe", async ({ page, app }) => {
  await page.goto("/auth/signup?referralCode=abc");
  await page.getByLabel("Password", { exact: true }).fill("short");
  await page.getByRole("button", { name: "Create account" }).click();
  await expect(page.getByText("Use at least 8 characters.")).toBeVisible();
  await expectNoFindings(page);

  const email = `${crypto.randomUUID()}@nodebeat.test`;
  await sendForm(page, { Email: email, Password: "a long pass phrase" }, "Create account", "Confirm your email");
  await expect(page.getByText("You can ask again in")).toBeVisible();
  await expectNoFindings(page);

  const { code, link = "" } = await app.seed.mail(email);
  for (const _ of Array.from({ length: 5 })) await sendCode(page, wrongCode(code));
  await expect(page.getByRole("heading", { name: "Confirm your email" })).toBeVisible();
  await expect(page.getByLabel("Code", { exact: true })).toHaveAccessibleDescription(/That code is not right/);
  await expectNoFindings(page);
  await sendCode(page, code ?? "");
  await expect(page.getByRole("heading", { name: "Too many attempts" })).toBeFocused();
  await expectNoFindings(page);

  await page.goto(link.replace(/^https?:\/\/[^/]+/, ""));
  await expect(page.getByRole("button", { name: "Confirm my email" })).toBeVisible();
  await expectNoFindings(page);
});

test("the pages of the password reset flow pass axe", async ({ page, app }) => {
  const { email } = await app.seed.member({});
  await page.goto("/auth/forgot-password");
  await sendForm(page, { Email: email }, "Send the link", "Check your email");
  await expect(page.getByText("You can ask again in")).toBeVisible();
  await expectNoFindings(page);

  const { link = "" } = await app.seed.mail(email);
  await page.goto(link.replace(/^https?:\/\/[^/]+/, ""));
  await expect(page.getByRole("button", { name: "Choose a new password" })).toBeVisible();
  await expectNoFindings(page);
  await page.getByRole("button", { name: "Choose a new password" }).click();
  await page.getByLabel("New password", { exact: true }).fill("a long pass phrase");
  await expectNoFindings(page);
  await page.getByRole("button", { name: "Save password" }).click();
  await expect(page.getByText("Your password has been changed.")).toBeVisible();
  await expectNoFindings(page);
});

test("the profile passes axe with error messages and a code field, and so does the undo of campaign mail", async ({
  page,
  login,
}) => {
  await login();
  await visit(page, "/profile");
  await page.getByLabel("Another address").fill(`${crypto.randomUUID()}@example.org`);
  await page.getByRole("button", { name: "Send a code" }).click();
  await expect(page.getByLabel("Code", { exact: true })).toBeVisible();
  await expectNoFindings(page);

  await page.getByLabel("Current password").fill("not the password");
  await page.getByLabel("New password").fill("a new and longer password");
  await page.getByRole("button", { name: "Change password" }).click();
  await expect(page.getByText("That is not your current password.")).toBeVisible();
  await expectNoFindings(page);

  await page.goto("/rewards?unsubscribe=1");
  await page.getByRole("button", { name: "Turn off campaign emails" }).click();
  await expect(page.getByRole("button", { name: "Undo" })).toBeVisible();
  await expectNoFindings(page);
});

test("a rejected sign-in passes axe", async ({ page }) => {
  await page.goto("/auth");
  await page.getByLabel("Email").fill("nobody@nodebeat.test");
  await page.getByLabel("Password", { exact: true }).fill("12345");
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page.getByText("Use at least 8 characters.")).toBeVisible();
  await expectNoFindings(page);
});

test("the status page, its notice and its administration pass axe during an incident", async ({ page, app, login }) => {
  const { userId } = await login();
  await app.seed.administrator(userId);
  const title = `Mail is late ${crypto.randomUUID().slice(0, 8)}`;
  await page.goto("/admin/incidents");
  await page.getByLabel("Title, as members see it").fill(title);
  await page.getByLabel("What we know").fill("The mail server takes its time. No letter is lost.");
  await page.getByLabel("Reason").fill("Seen by our own watch");
  await page.getByRole("button", { name: "Publish on the status page" }).click();
  await expect(page.getByRole("heading", { name: title })).toBeVisible();
  await unfold(page);
  await expectNoFindings(page);

  await visit(page, "/status");
  await expect(page.getByRole("heading", { name: title })).toBeVisible();
  await unfold(page);
  await expectNoFindings(page);
  await visit(page, "/faqs");
  await expect(page.getByRole("complementary", { name: "Status" })).toContainText(title);
  await expectNoFindings(page);

  // Other tests look at this server's pages without a notice.
  await page.goto("/admin/incidents");
  await page.locator("summary", { hasText: "Resolve the incident" }).click();
  const over = page.locator("form[id^=resolve-incident]");
  await over.getByLabel("What happened").fill("All letters have left.");
  await over.getByLabel("Reason").fill("Seen by our own watch");
  await over.getByRole("button", { name: "Mark as resolved" }).click();
  await expect(page.getByText("Resolved", { exact: true })).toBeVisible();
});

/** Opens every `details` element: its content counts, too. */
const unfold = (page: Page) =>
  page.locator("details").evaluateAll((all) => {
    for (const each of all) each.setAttribute("open", "");
  });
