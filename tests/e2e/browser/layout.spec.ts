import type { BrowserContext, Page } from "@playwright/test";
import { expect, test } from "../fixtures.ts";
import { hydrated } from "../hydration.ts";
import { advanceClockUntil } from "../pass-until.ts";
import { addPendingCookies } from "../pending-cookies.ts";
import { recordShifts, readSettledShifts } from "../shifts.ts";
import { visit } from "../visit.ts";

/** The pages to visit, some of which show a sign-up, a forgotten password or a new password under way. */
const WALK: [path: string, heading?: string][] = [
  ["/auth"],
  ["/auth/signup?referralCode=abc"],
  ["/auth/verify"],
  ["/auth/forgot-password", "Check your email"],
  ["/auth/reset-password", "Choose a new password"],
  ["/faqs"],
  ["/terms/1"],
  ["/dashboard"],
  ["/rewards"],
  ["/no-such-page"],
  ["/profile"],
];
const LONG_ADDRESS = "alongaddresswithoutanyroomtobreak@membersofnodebeatandtheirnews.test";

test.use({ contextOptions: { reducedMotion: "no-preference" } });

/** Returns the cookies of a sign-up, a forgotten password and a new one under way, for somebody with a long address. */
function createPending(state = "FIRST_RESEND") {
  const resend = { state, timestamp: Date.now(), duration: 120_000 };
  return {
    nodebeat_signup: { signupToken: "nbu_unknown", email: LONG_ADDRESS, resend },
    nodebeat_reset: { resetToken: "nbr_unknown", email: LONG_ADDRESS, ...resend },
    nodebeat_recovery: { token: "nbc_unknown" },
  };
}

async function expectNothingWider(page: Page, what: string) {
  const [content, window] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
  expect(content, what).toBeLessThanOrEqual(window ?? 0);
}

/** 320 CSS pixels wide, and a 1440 × 900 window at 400 %. */
const SMALL = [
  { width: 320, height: 640 },
  { width: 360, height: 225 },
];

async function expectNothingSideways(page: Page, what: string) {
  for (const viewport of SMALL) {
    await page.setViewportSize(viewport);
    await expectNothingWider(page, `${what} at ${viewport.width} × ${viewport.height}`);
  }
}

test("nothing scrolls sideways in small windows", async ({ page, app, context, login }) => {
  await context.addCookies([{ name: "mobile_continued", value: "true", url: app.url }]);
  await addPendingCookies(context, app.url, createPending());
  for (const [path, heading] of WALK) {
    if (path === "/dashboard") await login();
    // Messages of an earlier action, for the pages that show them.
    await context.addCookies([
      { name: "note_sign-in_1", value: "password", url: app.url },
      { name: "note_campaign-mail_1", value: "off", url: app.url },
    ]);
    await visit(page, path, heading);
    await expectNothingSideways(page, path);
  }
  await page.getByLabel("Another address").fill(LONG_ADDRESS);
  await page.getByRole("button", { name: "Send a code" }).click();
  await expect(page.getByLabel("Code", { exact: true })).toBeVisible();
  await expectNothingSideways(page, "the profile with a code to type");
});

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });

  test("the points log shows nine digits beside a whole date", async ({ page, app, login }) => {
    const { userId } = await login();
    await app.seed.post(userId, [{ category: "Connectivity", points: 123_456_789.5, comment: "A word or two" }]);
    await page.setViewportSize({ width: 1280, height: 720 });
    await page.goto("/dashboard");
    await expectLogFits(page, "123.456.789,5");
  });
});

async function expectLogFits(page: Page, content: string) {
  const log = page.getByRole("region", { name: "Points log, table" });
  await expect(log).toContainText(content);
  const [table, shown] = await log.evaluate(({ scrollWidth, clientWidth }) => [scrollWidth, clientWidth]);
  expect(table, "the width of the points log").toBeLessThanOrEqual(shown ?? 0);
}

test("long text without spaces does not overflow the page", async ({ page, app, login }) => {
  const { userId } = await login();
  const word = "W".repeat(120);
  const campaign = { id: `wide-${userId}`, name: word, type: "social", formUrl: "https://forms.example/wide" };
  await app.seed.campaigns(userId, [
    { ...campaign, bonusPoints: 250, mandatory: false, buttonText: null, taskNumber: 99, completed: true },
  ]);
  await app.seed.post(userId, [{ category: "Others", points: 5, comment: word }]);
  for (const width of [1000, 800]) {
    await page.setViewportSize({ width, height: 800 });
    await visit(page, "/dashboard");
    await expectLogFits(page, word);
    await visit(page, "/rewards");
    await expect(page.getByText(word, { exact: true })).toBeVisible();
    await expectNothingWider(page, `the rewards at ${width}`);
  }
  await page.getByRole("button", { name: `points for ${word}` }).click();
  await expect(page.getByText(`points for “${word}”`)).toBeVisible();
  await expectNothingWider(page, "what was claimed");

  await app.seed.administrator(userId);
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.goto("/admin/campaigns");
  await expect(page.getByRole("link", { name: word })).toBeVisible();
  await expect(page.getByRole("columnheader", { name: "Ends" }).first()).toBeInViewport({ ratio: 1 });

  await page.setViewportSize({ width: 800, height: 800 });
  await page.goto("/admin/audit");
  const about = await page.getByLabel("About", { exact: true }).boundingBox();
  const by = await page.getByLabel("Done by").boundingBox();
  expect(by?.y, "fields side by side").toBe(about?.y);
});

test("a chart's labels do not extend past its last bar", async ({ page, app, login }) => {
  const { userId } = await login();
  await app.seed.post(userId, [{ category: "Rewards", points: 250, comment: "Follow us on X" }]);
  for (const range of [7, 30, 90]) {
    await visit(page, `/dashboard?range=${range}`);
    const over = await page.locator(".bars").evaluate((chart) => {
      const end = chart.getBoundingClientRect().right;
      return Array.from(chart.querySelectorAll("text"), (text) => text.getBoundingClientRect().right - end);
    });
    expect(over.length).toBeGreaterThan(1);
    expect(Math.max(...over), `${range} days`).toBeLessThanOrEqual(0.5);
  }
});

test("no page shifts its layout during hydration", async ({ page, app, context, login }) => {
  await recordShifts(page);
  // Without a resend: the text about it depends on the reader's clock, and what follows it would move.
  await addPendingCookies(context, app.url, createPending("INITIAL"));
  for (const [path, heading] of WALK.slice(0, 4)) {
    await visit(page, path, heading);
    expect(await readSettledShifts(page), path).toEqual([]);
  }

  await login({ heartbeats: 3 });
  // With the first message, its bell appears in the header.
  await context.addCookies([{ name: "note_toast_1", value: "account-kept", url: app.url }]);
  await visit(page, "/dashboard");
  await expect(page.getByRole("button", { name: "Messages" })).toBeVisible();
  expect(await readSettledShifts(page)).toEqual([]);
  for (const path of ["/rewards", "/profile", "/faqs", "/no-such-page"]) {
    await visit(page, path);
    expect(await readSettledShifts(page), path).toEqual([]);
  }
});

test("the layout does not shift when fonts load late", async ({ page, login }) => {
  await recordShifts(page);
  await login();
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  await page.route("**/*.woff2", async (route) => {
    await released;
    await route.continue();
  });
  await page.goto("/dashboard", { waitUntil: "commit" });
  await hydrated(page);
  release();
  expect(await readSettledShifts(page)).toEqual([]);
});

/**
 * What members have accepted, and what their browser remembers of it: the page asks for the terms, for the policy, or
 * for nothing. Covers both themes with both sidebars.
 */
const STATES = [
  { theme: "light", sidebar: "expanded", accepted: [], flags: [] },
  { theme: "dark", sidebar: "icons", accepted: ["tos"], flags: ["tosAccepted"] },
  { theme: "light", sidebar: "icons", accepted: ["tos"], flags: ["tosAccepted", "ppSkipped"] },
  { theme: "dark", sidebar: "expanded", accepted: ["tos", "pp"], flags: ["tosAccepted", "ppAccepted"] },
] as const;

for (const { theme, sidebar, accepted, flags } of STATES) {
  test(`the dashboard does not shift its layout: ${[theme, sidebar, ...flags].join(", ")}`, async ({
    page,
    context,
    app,
    login,
  }) => {
    await recordShifts(page);
    const { userId } = await login({ whitelisted: true, accepted });
    await app.seed.post(userId, [{ category: "Rewards", points: 250, comment: "Follow us on X" }]);
    await setCookies(context, app.url, { theme, sidebar_state: String(sidebar === "expanded") });
    await setCookies(context, app.url, Object.fromEntries(flags.map((flag) => [flag, userId])));
    const html = (await (await page.goto("/dashboard"))?.text()) ?? "";
    expect(html).toContain(`data-theme="${theme}"`);
    expect(html).toContain(`data-sidebar="${sidebar}"`);
    expect(await readSettledShifts(page)).toEqual([]);
  });
}

function setCookies(context: BrowserContext, url: string, cookies: Record<string, string>) {
  return context.addCookies(Object.entries(cookies).map(([name, value]) => ({ name, value, url })));
}

test("a rejected profile form keeps the focus on its field, and the other forms keep what was typed", async ({
  page,
  login,
}) => {
  await login();
  await page.goto("/profile");
  await page.getByLabel("Another address").fill(`${crypto.randomUUID()}@example.org`);
  await page.keyboard.press("Enter");
  // By then the forms have been reset, and keep what is typed into them.
  await expect(page.getByText("An email with a code is on its way.")).toBeVisible();
  const code = page.getByLabel("Code", { exact: true });
  await code.fill("000000");
  await page.getByLabel("Current password").fill("half typed");
  await code.press("Enter");
  await expect(code).toHaveAccessibleDescription(/That code is not right/);
  await expect(code).toBeFocused();
  await expect(page.getByLabel("Current password")).toHaveValue("half typed");
  await expect(page.getByText("An email with a code is on its way.")).toBeHidden();
});

test("Tab moves through the dashboard in visual order, and a skip link bypasses the sidebar", async ({
  page,
  login,
}) => {
  await login();
  await page.goto("/dashboard");
  await page.keyboard.press("Tab");
  await expect(page.getByRole("link", { name: /skip/i })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("main")).toBeFocused();

  await pressUntilFocused(page, "Tab", page.getByRole("link", { name: "30 days" }));
  await pressUntilFocused(page, "Tab", page.getByRole("combobox", { name: "Category" }));
  await pressUntilFocused(page, "Tab", page.getByRole("button", { name: /Dates/ }));
});

for (const reducedMotion of ["reduce", "no-preference"] as const) {
  // specification: 2.37
  test(`the page title ${reducedMotion === "reduce" ? "stands still" : "settles"} with the motion setting ${reducedMotion}`, async ({
    page,
    login,
  }) => {
    await page.emulateMedia({ reducedMotion });
    await login();
    await page.clock.install();
    await page.goto("/dashboard");
    // From here on time passes only when the test says so: the first title settles.
    await page.clock.pauseAt(Date.now() + 60_000);
    await page.clock.runFor(1000);
    const title = page.getByRole("banner").getByRole("heading", { level: 1, name: "Rewards", exact: true });
    await page.evaluate(() => {
      const seen = { scrambles: 0 };
      Object.assign(window, { seen });
      const observer = new MutationObserver((changes) => (seen.scrambles += changes.length));
      observer.observe(document.body, { attributeFilter: ["data-scramble"], subtree: true });
    });
    await page.getByRole("link", { name: "Rewards" }).click();

    // Screen readers get the title itself all the time.
    await advanceClockUntil(page, 100, () => title.isVisible());
    const countScrambles = () =>
      page.evaluate(() => (window as unknown as { seen: { scrambles: number } }).seen.scrambles);
    await page.clock.runFor(1000);
    const scrambles = await countScrambles();
    if (reducedMotion === "reduce") expect(scrambles).toBe(0);
    else expect(scrambles).toBeGreaterThan(3);
  });
}

async function pressUntilFocused(page: Page, key: string, target: ReturnType<Page["getByRole"]>) {
  for (let presses = 0; presses < 25; presses += 1) {
    if (await target.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press(key);
  }
  await expect(target).toBeFocused();
}
