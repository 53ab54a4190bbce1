import type { Page } from "@playwright/test";
import { installWallet } from "../../support/pages/test-wallet.ts";
import { startApp, type RunningApp } from "../../support/servers/start-app.ts";
import { expect, test, blockLiveEvents } from "../fixtures.ts";
import { hydrated } from "../hydration.ts";
import { CONTAINER, MEASURING, readEvents, serveContainer, strip } from "../measuring-steps.ts";
import { connect, press } from "../wallet-steps.ts";

const LANDING = "/?utm_source=news&utm_medium=mail&utm_campaign=spring&utm_term=node&utm_content=top";
const UTM = { utm_source: "news", utm_medium: "mail", utm_campaign: "spring", utm_term: "node", utm_content: "top" };

// Keeps the file in one worker, so it starts only one more server.
test.describe.configure({ mode: "default" });

let measured: RunningApp;
test.beforeAll(async () => {
  measured = await startApp({ settings: MEASURING });
});
test.afterAll(() => measured.close());

async function signIn(page: Page) {
  const member = await measured.seed.member({});
  await page.getByLabel("Email").fill(member.email);
  await page.getByLabel("Password", { exact: true }).fill(member.password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page).toHaveURL(`${measured.url}/dashboard`);
  return member;
}

// specification: 7.5
test("without configuration no visitor is asked for consent, and nothing is stored or sent", async ({
  page,
  app,
  context,
}) => {
  const asked = await serveContainer(page);
  await page.goto(LANDING, { waitUntil: "networkidle" });
  await expect(page).toHaveURL(`${app.url}/auth`);
  await page.goto("/faqs", { waitUntil: "networkidle" });
  await hydrated(page);

  await expect(page.getByText("Do you measure what I do here?", { exact: true })).toBeVisible();
  await expect(strip(page)).toHaveCount(0);
  expect(await readEvents(page)).toBe("nothing");
  expect(asked).toEqual([]);
  expect((await context.cookies()).map(({ name }) => name)).toEqual([]);
});

test("sends nothing before consent, nor after it is declined", async ({ page, context }) => {
  const asked = await serveContainer(page);
  await page.goto(measured.url + LANDING);
  await expect(strip(page)).toBeVisible();
  expect(await readEvents(page)).toBe("nothing");

  await strip(page).getByRole("button", { name: "Decline" }).click();
  await expect(strip(page)).toHaveCount(0);
  await expect(page.getByRole("main")).toBeFocused();
  await signIn(page);
  await blockLiveEvents(page);
  await page.reload({ waitUntil: "networkidle" });
  await hydrated(page);

  await expect(strip(page)).toHaveCount(0);
  expect(await readEvents(page)).toBe("nothing");
  expect(asked).toEqual([]);
  const names = (await context.cookies()).map(({ name }) => name);
  expect(names).toContain("analytics_consent");
  expect(names).not.toContain("utm");
  expect(names).not.toContainEqual(expect.stringMatching(/^event_analytics_/));
});

// specification: 2.58, 7.5, 7.6
test("with consent, sends events to the container with the session's UTM parameters", async ({ page, context }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"], { origin: measured.url });
  const asked = await serveContainer(page);
  await page.goto(measured.url + LANDING);
  await expect(page).toHaveURL(`${measured.url}/auth`);
  await strip(page).getByRole("button", { name: "Allow" }).click();
  await expect(page.locator("html")).toHaveAttribute("data-gtm", "loaded");
  expect(await readEvents(page)).toEqual([
    { event: "page_view", page_path: "/auth", page_title: "Sign in · Nodebeat", ...UTM },
  ]);
  const nonces = await page.evaluate(() => Array.from(document.scripts, ({ nonce }) => nonce).filter(Boolean));
  expect(new Set(nonces).size).toBe(1);

  const { personalCode } = await signIn(page);
  await expect
    .poll(() => readEvents(page))
    .toEqual([
      { event: "page_view", page_path: "/dashboard", page_title: "Dashboard · Nodebeat", ...UTM },
      { event: "login", ...UTM },
    ]);
  await page.getByRole("button", { name: "Copy Link" }).click();
  // The event follows once the link is on the clipboard, which may be later than the next page.
  await expect.poll(async () => (await readEvents(page)).length).toBe(3);
  await page.getByRole("link", { name: "Help & FAQs" }).click();
  await expect
    .poll(async () => (await readEvents(page)).slice(2))
    .toEqual([
      { event: "referral_link_copied", personal_code: personalCode, ...UTM },
      { event: "page_view", page_path: "/faqs", page_title: "Help & FAQs · Nodebeat", ...UTM },
    ]);
  // Once per document.
  expect(asked).toEqual([CONTAINER, CONTAINER]);
});

test("signing up and claiming are tracked by the page that follows, linking a wallet by its own", async ({
  page,
  context,
}) => {
  await serveContainer(page);
  await installWallet(context);
  await context.addCookies([{ name: "analytics_consent", value: "granted", url: measured.url }]);
  const email = `${crypto.randomUUID()}@nodebeat.test`;
  await page.goto(`${measured.url}/auth/signup`);
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password", { exact: true }).fill("a long pass phrase");
  await page.getByRole("button", { name: "Create account" }).click();
  await page.getByLabel("Code", { exact: true }).fill((await measured.seed.mail(email)).code ?? "");
  await page.getByRole("button", { name: "Confirm" }).click();
  await expect(page).toHaveURL(`${measured.url}/dashboard`);
  await expect.poll(() => readEvents(page)).toContainEqual({ event: "sign_up" });

  const member = await measured.seed.member({});
  const hours = Array.from({ length: 100 }, (_, ago) => new Date(Date.now() - ago * 3_600_000).toISOString());
  await measured.seed.beat(member.userId, hours);
  await context.addCookies([{ ...member.cookie, url: measured.url }]);
  await page.goto(`${measured.url}/rewards`);
  await page.getByRole("button", { name: /^Claim .+ points for your heartbeats$/ }).click();
  await expect.poll(() => readEvents(page)).toContainEqual({ event: "reward_claimed", reward_id: "heartbeat" });

  await page.goto(`${measured.url}/profile`);
  await connect(page);
  expect(await readEvents(page)).toEqual([expect.objectContaining({ event: "page_view" })]);
  await press(page, "Sign and link");
  await expect.poll(() => readEvents(page)).toContainEqual({ event: "wallet_linked" });
});

test("tracks a form submitted before the scripts loaded on the next page, not on the one being left", async ({
  page,
  context,
}) => {
  await serveContainer(page);
  await context.addCookies([{ name: "analytics_consent", value: "granted", url: measured.url }]);
  const member = await measured.seed.member({});
  const { promise: isSent, resolve: sent } = Promise.withResolvers<void>();
  await page.route("**/*.js", async (route) => {
    await isSent;
    await route.continue();
  });
  await page.route("**/auth?*", async (route) => {
    if (route.request().method() === "GET") return route.continue();
    // The response's cookies are set, but the page it leads to has not loaded yet.
    const response = await route.fetch({ maxRedirects: 0 });
    const measures = page.waitForRequest(CONTAINER);
    sent();
    await measures;
    await route.fulfill({ response });
  });
  await page.goto(`${measured.url}/auth?redirectTo=/faqs`, { waitUntil: "commit" });
  await page.getByLabel("Email").fill(member.email);
  await page.getByLabel("Password", { exact: true }).fill(member.password);
  await page.getByRole("button", { name: "Sign in" }).click({ noWaitAfter: true });

  await expect(page).toHaveURL(`${measured.url}/faqs`);
  await expect.poll(() => readEvents(page)).toContainEqual({ event: "login" });
});

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });

  test("asks for no consent, because nothing can be measured", async ({ page }) => {
    await page.goto(`${measured.url}/faqs`);
    await expect(page.getByText("Do you measure what I do here?", { exact: true })).toBeVisible();
    await expect(page.getByText("Allow measuring")).toBeHidden();
    await expect(strip(page)).toHaveCount(0);
  });
});
