import { installWallet } from "../../support/test-wallet.ts";
import { expect, test } from "../fixtures.ts";
import { hydrated } from "../hydration.ts";
import { dialog, toast, walletCard as card } from "../wallet-steps.ts";

const INSTALL = "Please install MetaMask to connect a wallet";

// specification: 4.27
test("a wallet that comes late is looked for three more times, 200 ms apart", async ({ page, context, login }) => {
  // What sits at `window.ethereum` does not say when it has come.
  await installWallet(context, { announced: false });
  await context.addInitScript(hideWallet);
  await page.clock.install();
  await login();
  await page.goto("/profile");
  await hydrated(page);
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
  await expect(toast(page, INSTALL)).toHaveCount(0);

  await page.evaluate(() => (window.isWalletThere = false));
  await page.keyboard.press("Escape");
  await page.evaluate(() => window.lookedAt.clear());
  await connect.click();
  for (const times of [1, 2, 3]) {
    await expect.poll(looks).toHaveLength(times);
    await expect(toast(page, INSTALL)).toHaveCount(0);
    await page.clock.runFor(200);
  }
  // A toast takes timers of its own.
  await page.clock.resume();
  await expect(toast(page, INSTALL)).toBeVisible();
  expect(await looks()).toEqual([0, 200, 400, 600]);
});

declare global {
  interface Window {
    lookedAt: Set<number>;
    isWalletThere: boolean;
  }
}

/** Runs in the page: notes when the wallet is looked for, and shows it only when told to. */
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
