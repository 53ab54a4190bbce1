import type { Page } from "@playwright/test";
import { installWallet } from "../../support/pages/test-wallet.ts";
import { expect, test } from "../fixtures.ts";
import { connect, dialog, press, toast, walletCard as card } from "../wallet-steps.ts";

const INSTALL = "Please install MetaMask to connect a wallet";

// specification: 4.27
test("looks for a late wallet three more times, 200 ms apart", async ({ page, context, login }) => {
  // A wallet at `window.ethereum` does not announce when it is there.
  await installWallet(context, { announced: false });
  await context.addInitScript(hideWallet);
  await page.clock.install();
  await login();
  await page.goto("/profile");
  await page.clock.pauseAt(Date.now() + 60_000);

  const connect = card(page).getByRole("button", { name: "Connect wallet" });
  await connect.click();
  const looks = () => page.evaluate(() => [...window.lookedAt].map((at, _, [first = at]) => at - first));
  await expect.poll(looks).toEqual([0]);
  await page.clock.runFor(200);
  await expect.poll(looks).toEqual([0, 200]);
  await page.clock.runFor(200);
  await expect.poll(looks).toEqual([0, 200, 400]);
  await page.evaluate(() => (window.isWalletThere = true));
  await page.clock.runFor(200);
  await expect(dialog(page).getByRole("button", { name: "MetaMask" })).toBeVisible();
  // A toast needs time to appear.
  await page.clock.runFor(1000);
  await expect(toast(page, INSTALL)).toHaveCount(0);

  await page.evaluate(() => (window.isWalletThere = false));
  await page.keyboard.press("Escape");
  await page.evaluate(() => window.lookedAt.clear());
  await connect.click();
  for (const times of [1, 2, 3]) {
    await expect.poll(looks).toHaveLength(times);
    await page.clock.runFor(200);
  }
  await expect(dialog(page)).toContainText("No wallet in this browser");
  expect(await looks()).toEqual([0, 200, 400, 600]);

  await page.clock.runFor(1000);
  await expect(toast(page, INSTALL), "not under the dialog, which says it").toHaveCount(0);
  await page.clock.resume();
  await page.keyboard.press("Escape");
  await expect(toast(page, INSTALL)).toBeVisible();
});

test("a wallet that announces itself later replaces the request to install one", async ({ page, context, login }) => {
  await installWallet(context, { announced: false });
  await context.addInitScript(() => {
    Object.assign(window, { lateWallet: window.ethereum });
    delete window.ethereum;
  });
  await login();
  await page.goto("/profile");
  await card(page).getByRole("button", { name: "Connect wallet" }).click();
  await expect(dialog(page)).toContainText("No wallet in this browser");
  await page.evaluate(() => {
    // Its name is too long and reverses the text that follows, and its icon is on another site.
    const [name, icon] = [`\u202eLate Wallet${"!".repeat(200)}`, "https://elsewhere.example/icon.png"];
    const info = { uuid: crypto.randomUUID(), name, icon, rdns: "test.nodebeat.late" };
    const provider = Reflect.get(window, "lateWallet");
    dispatchEvent(new CustomEvent("eip6963:announceProvider", { detail: Object.freeze({ info, provider }) }));
  });
  const offered = dialog(page).getByRole("button", { name: `Late Wallet${"!".repeat(29)}`, exact: true });
  await expect(offered).toBeVisible();
  await expect(offered.locator("img")).toHaveCount(0);
  await page.keyboard.press("Escape");
  await expect(dialog(page)).toHaveCount(0);
  await expect(toast(page, INSTALL)).toHaveCount(0);
});

test("a tab that finds no wallet does not stop other tabs from reconnecting theirs", async ({
  page,
  context,
  login,
}) => {
  await installWallet(context);
  await login();
  await page.goto("/profile");
  await connect(page);
  await press(page, "Not now");

  const other = await context.newPage();
  // The extension is turned off for a moment.
  await other.addInitScript(() => {
    addEventListener("eip6963:announceProvider", (event) => event.stopImmediatePropagation());
  });
  await other.goto("/profile");
  await expect(card(other).getByRole("button", { name: "Connect wallet" })).toBeVisible();
  await page.bringToFront();
  const cookie = () => page.evaluate(() => document.cookie);
  await expect.poll(cookie).toMatch(/\bwallet=0x/);

  // The tab hears of the next connection, and again finds no wallet. A tab that disconnects first reports this about
  // itself.
  const own = hearMissing(page);
  await card(page).getByRole("button", { name: "Disconnect" }).click();
  await own;
  const missing = hearMissing(page);
  await connect(page);
  await press(page, "Not now");
  await missing;
  await expect.poll(cookie).toMatch(/\bwallet=0x/);
  await page.reload();
  await expect(card(page).getByRole("button", { name: "Disconnect" })).toBeVisible();
});

const hearMissing = (page: Page) =>
  page.evaluate(
    () =>
      new Promise((resolve) => {
        new BroadcastChannel("tabs wallet").addEventListener("message", ({ data }: MessageEvent<unknown>) => {
          if (data === "missing") resolve(true);
        });
      }),
  );

declare global {
  interface Window {
    lookedAt: Set<number>;
    isWalletThere: boolean;
  }
}

/** Runs in the page. Records when the page looks for the wallet, and shows it only when told to. */
function hideWallet() {
  const wallet = window.ethereum;
  Object.assign(window, { lookedAt: new Set(), isWalletThere: false });
  Object.defineProperty(window, "ethereum", {
    get() {
      window.lookedAt.add(Date.now());
      return window.isWalletThere ? wallet : undefined;
    },
  });
}
