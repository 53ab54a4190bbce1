import type { Page } from "@playwright/test";
import { installWallet } from "../../support/pages/test-wallet.ts";
import { expect, test } from "../fixtures.ts";
import { connect, dialog, toast, walletCard } from "../wallet-steps.ts";

// The browser itself logs failed requests.
test.use({ expectedConsole: [/net::ERR_FAILED/] });

/**
 * Lets the server process a form with this field, but loses its first response on the way back. Returns a function that
 * counts the attempts.
 */
async function loseFirstAnswer(page: Page, path: string | RegExp, field: string) {
  let times = 0;
  await page.route(path, async (route) => {
    if (!route.request().postData()?.includes(field)) return route.continue();
    times += 1;
    if (times > 1) return route.continue();
    await route.fetch();
    await route.abort("failed");
  });
  return () => times;
}

test("a claim whose response is lost is retried, and reported as successful", async ({ page, login }) => {
  await login({ heartbeats: 100 });
  await page.goto("/rewards");
  const times = await loseFirstAnswer(page, /\/rewards(\.data)?(\?|$)/, "intent");
  await page.getByRole("button", { name: /^Claim .* points for your heartbeats$/ }).click();
  const said = page.getByRole("main").getByRole("status").filter({ hasText: "You claimed" });
  await expect(said).toContainText("points for your heartbeats.");
  expect(times()).toBe(2);
});

test("linking a wallet whose response is lost is retried without a new signature, and reported as successful", async ({
  page,
  context,
  login,
}) => {
  const wallet = await installWallet(context);
  await login();
  await page.goto("/profile");
  await connect(page);
  const times = await loseFirstAnswer(page, "/wallet/link", "signature");
  await dialog(page).getByRole("button", { name: "Sign and link" }).click();
  await expect(toast(page, "Wallet linked successfully!")).toBeVisible();
  await expect(walletCard(page)).toContainText(wallet.accounts[0].address);
  expect([times(), wallet.count("personal_sign")]).toEqual([2, 1]);
});
