import type { Page } from "@playwright/test";
import { expect, test, blockLiveEvents } from "../fixtures.ts";
import { hydrated } from "../hydration.ts";

/**
 * Lets time pass in steps, and contacts the server between them: otherwise the clock's jump would make it look silent.
 */
async function pass(page: Page, seconds: number) {
  for (let step = 0; step < seconds * 2; step += 1) {
    await page.clock.runFor(500);
    await page.evaluate(() => fetch("/healthz").then((response) => response.text()));
  }
}

/** Sends a request itself: its response comes after those that are already on their way. */
const askAfterAllOthers = (page: Page, path: string) =>
  page.evaluate((address) => fetch(address).then((response) => response.text()), path);

// specification: 4.39, 9.4, 9.5
test("polls the status every 10 s, but not while the page is hidden or once there is a Machine ID", async ({
  page,
  login,
}) => {
  await page.clock.install();
  await login();
  await blockLiveEvents(page);
  await page.goto("/dashboard", { waitUntil: "networkidle" });
  await hydrated(page);
  let asked = 0;
  let status: string | null = null;
  await page.route("**/read/machine-id-status*", (route) => {
    asked += 1;
    return route.fulfill({ json: { status } });
  });
  const expectAsked = (times: number) => expect.poll(() => asked).toBe(times);
  // Requests that are due by then are sent. From here on time passes only when the test says so.
  await page.clock.pauseAt(Date.now() + 60_000);
  await askAfterAllOthers(page, "/read/machine-id-status");
  asked = 1;
  await pass(page, 10);
  await expectAsked(2);
  const show = (visibility: string) =>
    page.evaluate((state) => {
      Object.defineProperty(document, "visibilityState", { value: state, configurable: true });
      dispatchEvent(new Event("visibilitychange"));
    }, visibility);
  await show("hidden");
  await pass(page, 30);
  await show("visible");
  status = "completed";
  await pass(page, 10);
  await expectAsked(3);
  await pass(page, 60);
  await askAfterAllOthers(page, "/read/machine-id-status");
  await expectAsked(4);
});

// specification: 4.31, 9.4, 9.5
test("polls a pending Smart Account every 10 s, until its status changes", async ({ page, login }) => {
  await page.clock.install();
  await login();
  await blockLiveEvents(page);
  await page.goto("/faqs");
  let asked = 0;
  let status = "pending";
  await page.route(/\/read\/smart-account(?:\?|$)/, (route) => {
    asked += 1;
    const account = { success: true, smartAccount: null, message: "", createdAt: null };
    return route.fulfill({ json: { ...account, status } });
  });
  // By then what the page knows is old enough to be read again when the page becomes visible.
  await page.clock.pauseAt(Date.now() + 16 * 60_000);
  const answered = page.waitForResponse("**/read/smart-account*");
  await page.evaluate(() => dispatchEvent(new Event("visibilitychange")));
  await (await answered).finished();
  const expectAsked = (times: number) => expect.poll(() => asked).toBe(times);
  await expectAsked(1);
  await pass(page, 9);
  await expectAsked(1);
  await pass(page, 1);
  await expectAsked(2);
  status = "failed";
  await pass(page, 10);
  await expectAsked(3);
  await pass(page, 60);
  await askAfterAllOthers(page, "/read/smart-account");
  await expectAsked(4);
});

test.describe("if the Machine ID code fails to load", () => {
  // The browser itself logs failed requests.
  test.use({ expectedConsole: [/net::ERR_FAILED/] });

  test("the dialog opens as soon as the code loads, and no error shows before the member asks for it", async ({
    page,
    login,
  }) => {
    await page.clock.install();
    await login();
    await blockLiveEvents(page);
    await page.goto("/dashboard");
    const account = { success: true, smartAccount: null, message: "", status: "completed", createdAt: null };
    await page.route("**/read/smart-account*", (route) => route.fulfill({ json: account }));
    await page.route("**/read/machine-id-status*", (route) => route.fulfill({ json: { status: "pending" } }));
    await page.route("**/machine-id.island*", (route) => route.abort());
    const missed = page.waitForEvent("requestfailed", (request) => request.url().includes("/machine-id.island"));
    // When the member comes back, the page reads again what it read a while ago.
    await page.clock.fastForward(31 * 60_000);
    await page.evaluate(() => dispatchEvent(new Event("visibilitychange")));
    await missed;
    await page.unroute("**/machine-id.island*");
    await page.getByRole("link", { name: "Machine ID Creation in Progress" }).click();
    await expect(page.getByRole("dialog")).toContainText("Machine ID creation in progress...");
    await expect(page.getByText("Unable to create Machine ID at the moment")).toHaveCount(0);
  });
});
