import { installWallet } from "../../support/pages/test-wallet.ts";
import { expect, test } from "../fixtures.ts";
import { connect, dialog, header, press, toast } from "../wallet-steps.ts";

/* What a member sees if a wallet would sign something other than what the page shows. */

// The browser itself logs failed requests.
test.use({ expectedConsole: [/status of 500/] });

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

test("the linking dialog says if the text to sign is not for this page", async ({ page, context, login }) => {
  const wallet = await installWallet(context);
  await login();
  await page.goto("/profile");
  await connect(page);
  const refusal = { message: NOT_AS_SHOWN, error: "API_ERROR", statusCode: 500 };
  await page.route("**/wallet/link", (route) => route.fulfill({ status: 500, json: refusal }));
  await press(page, "Sign and link");
  await expect(toast(page, NOT_AS_SHOWN)).toBeVisible();
  await expect(dialog(page).getByRole("alert")).toContainText(NOT_AS_SHOWN);
  expect(wallet.count("personal_sign")).toBe(0);
});
