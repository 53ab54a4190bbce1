import type { Page } from "@playwright/test";
import { readContentPointsHistory, readNetworkJobs } from "../../../server/agent-insights/contract.ts";
import { readUser } from "../../../server/profile/contract.ts";
import { readPointsHistory, readPointsLog, readPointsRules, readStats } from "../../../server/points/contract.ts";
import { findSample } from "../../support/samples/sample-responses.ts";
import { installWallet } from "../../support/pages/test-wallet.ts";
import { startApp, type RunningApp } from "../../support/servers/start-app.ts";
import { startSampleBackend } from "../../support/samples/start-sample-backend.ts";
import { expect, test } from "../fixtures.ts";
import { dialog, press } from "../wallet-steps.ts";

// React logs what it has caught, and that it renders a part itself because the server could not.
test.use({ expectedConsole: [/TypeError|Minified React error #419|Failed to load resource/] });
// All tests share one backend, so they run one at a time.
test.describe.configure({ mode: "default" });

let backend: Awaited<ReturnType<typeof startSampleBackend>>;
let app: RunningApp;

test.beforeAll(async () => {
  backend = await startSampleBackend();
  app = await startApp({ settings: { API_URL: backend.url } });
});
test.afterEach(() => backend.mend());
test.afterAll(async () => {
  await app.close();
  await backend.close();
});
test.beforeEach(async ({ context }) => {
  const { cookie } = await app.seed.member({});
  await context.addCookies([{ ...cookie, url: app.url }]);
});

const card = (page: Page, name: string) => page.getByRole("region", { name, exact: true });
/** By then the dashboard has requested the stats again. */
const POLL_MS = 6_000;
const SORRY = "Something went wrong while loading this part.";

// specification: 5.24
test("a card that fails to render shows an error in its place, and the rest of the page hydrates", async ({ page }) => {
  backend.give(readPointsLog, {});
  await page.goto(`${app.url}/dashboard`);

  await expect(card(page, "Points log")).toContainText(SORRY);
  await expect(card(page, "Content points")).toContainText("A post");
  await card(page, "Points, last 7 days").getByRole("link", { name: "30 days" }).click();
  await expect(card(page, "Points, last 30 days")).toBeVisible();
  await expect(card(page, "Points log")).toContainText(SORRY);

  backend.mend();
  await card(page, "Points log").getByRole("link", { name: "Try again" }).click();
  await expect(card(page, "Points log")).toContainText("Heartbeat");
  await expect(page.getByText(SORRY)).toHaveCount(0);
});

test("without JavaScript a broken card leaves the others in place, too", async ({ browser }) => {
  backend.give(readContentPointsHistory, { data: null });
  const context = await browser.newContext({ javaScriptEnabled: false });
  const { cookie } = await app.seed.member({});
  await context.addCookies([{ ...cookie, url: app.url }]);
  const page = await context.newPage();
  await page.goto(`${app.url}/dashboard`);
  await expect(card(page, "Content points")).toContainText(SORRY);
  await expect(card(page, "Points log")).toContainText("Heartbeat");
  await expect(card(page, "Refer a Friend")).toBeVisible();
  await context.close();
});

test("a broken card leaves the others in place after client-side navigation, too", async ({ page }) => {
  backend.give(readPointsHistory, { history: null });
  await page.goto(`${app.url}/rewards`);
  await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Dashboard" }).click();
  await expect(card(page, "Points by day")).toContainText(SORRY);
  await expect(card(page, "Points log")).toContainText("Heartbeat");
});

test("a card shows an error when polling returns a broken response, and recovers with the next good one", async ({
  page,
}) => {
  await page.clock.install();
  await page.goto(`${app.url}/dashboard`);
  await expect(card(page, "Points by category")).toContainText("Connectivity");

  const stats = findSample("GET /api/users/stats")?.response as object;
  backend.give(readStats, { ...stats, points_total: 50_000, points_breakdown: "none" });
  await page.clock.fastForward(POLL_MS);
  await expect(page.getByRole("banner")).toContainText("50.000");
  await expect(card(page, "Points by category")).toContainText(SORRY);
  await expect(card(page, "Points log")).toContainText("Heartbeat");

  backend.mend();
  await page.clock.fastForward(POLL_MS);
  await expect(card(page, "Points by category")).toContainText("Connectivity");
});

// specification: 3.24, 3.25
test("falls back to the browser's last copy of unavailable data, and to the defaults if it has none", async ({
  page,
}) => {
  const network = card(page, "The whole network, last 7 days");
  await page.goto(`${app.url}/agentinsights?range=7`);
  await expect(network).toContainText("20 Nov");
  const rules = findSample("GET /api/points/rules")?.response as object;
  backend.give(readPointsRules, { ...rules, referralPoints: 1500 });
  await page.goto(`${app.url}/referrals`);
  await expect(page.getByText("starts with 1.500 extra points")).toBeVisible();

  backend.fail(readNetworkJobs);
  backend.fail(readPointsRules);
  await page.goto(`${app.url}/agentinsights?range=7`);
  await expect(network).toContainText("20 Nov");
  await expect(network).toContainText("As you last saw it");
  await page.goto(`${app.url}/referrals`);
  await expect(page.getByText("starts with 1.500 extra points")).toBeVisible();

  await page.evaluate(() => {
    localStorage.setItem("configuration", "{");
    localStorage.setItem("gatheredData", "[");
  });
  await page.goto(`${app.url}/referrals`);
  await expect(page.getByText("starts with 1.000 extra points")).toBeVisible();
  await page.goto(`${app.url}/agentinsights?range=7`);
  await expect(network).toContainText(SORRY);
});

test("a wallet connects while the member cannot be read, and is not offered to be linked then", async ({
  page,
  context,
}) => {
  await installWallet(context);
  backend.fail(readUser);
  await page.goto(`${app.url}/faqs`);
  const sidebar = page.getByRole("complementary");
  await sidebar.getByRole("button", { name: "Connect wallet" }).click();
  await press(page, "Test Wallet");
  await expect(sidebar.getByRole("button", { name: "Disconnect" })).toBeVisible();
  await expect(dialog(page)).toHaveCount(0);
  await expect(page.getByRole("button", { name: "Link wallet" })).toHaveCount(0);
});
