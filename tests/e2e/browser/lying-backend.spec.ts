import { installWallet } from "../../support/pages/test-wallet.ts";
import { expect, test } from "../fixtures.ts";
import { dialog, header, press, toast } from "../wallet-steps.ts";

/* What a member sees if a wallet would sign something other than what the page shows. */

const NOT_AS_SHOWN =
  "We did not ask your wallet to sign, because the request does not match this page. Nothing has changed.";

test("a wallet is not asked to sign for a Smart Account of another owner", async ({ page, context, login }) => {
  const wallet = await installWallet(context);
  const [owner, stranger] = wallet.accounts;
  await login({ heartbeats: 100, wallet: owner.address });
  await page.goto("/dashboard");
  await header(page).getByRole("link", { name: "Create Smart Account" }).click();
  await press(page, "Connect wallet");
  await press(page, "Test Wallet");
  await page.route("**/machine-id", async (route) => {
    const response = await route.fetch();
    const text = await response.text();
    await route.fulfill({ response, body: text.replace(new RegExp(owner.address, "gi"), stranger.address) });
  });
  await press(page, "Create Smart Account");
  await expect(toast(page, "Failed to create Smart Account")).toBeVisible();
  await expect(dialog(page).getByRole("alert")).toHaveText(NOT_AS_SHOWN);
  expect(wallet.count("eth_signTypedData_v4")).toBe(0);

  await page.unroute("**/machine-id");
  await press(page, "Create Smart Account");
  await expect(toast(page, "Smart Account creation queued")).toBeVisible();
});
