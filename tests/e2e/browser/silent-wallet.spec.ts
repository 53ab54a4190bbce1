import { installWallet } from "../../support/pages/test-wallet.ts";
import { expect, test } from "../fixtures.ts";
import { connect, dialog, walletCard as card } from "../wallet-steps.ts";

// specification: 4.23
test("gives up on a wallet that does not respond, lets the member retry, and ignores its late response", async ({
  page,
  context,
  login,
}) => {
  const wallet = await installWallet(context);
  await page.clock.install();
  await login();
  await page.goto("/profile");
  await connect(page);
  await dialog(page).getByRole("button", { name: "Not now" }).click();
  const silence = Promise.withResolvers<"approve">();
  wallet.answers["eth_accounts"] = silence.promise;
  const before = wallet.count("eth_accounts");
  await page.reload();
  await expect.poll(() => wallet.count("eth_accounts")).toBeGreaterThan(before);
  await expect(card(page).getByRole("button", { name: "Reconnecting…" })).toBeVisible();
  await page.clock.fastForward(11_000);
  const again = card(page).getByRole("button", { name: "Connect wallet" });
  await expect(again).toBeVisible();
  await expect(page.getByRole("complementary").getByRole("button", { name: "Connect wallet" })).toBeVisible();

  // Nor is it connected behind the page's back, where the member could not connect it again.
  silence.resolve("approve");
  await page.evaluate(() => window.testWallet("eth_accounts"));
  await expect(again).toBeVisible();
  await connect(page);
  await expect(dialog(page)).toContainText("Link this wallet");
});

test("the member can cancel reconnecting a slow wallet", async ({ page, context, login }) => {
  const wallet = await installWallet(context);
  await page.clock.install();
  await login();
  await page.goto("/profile");
  await connect(page);
  await dialog(page).getByRole("button", { name: "Not now" }).click();
  wallet.answers["eth_accounts"] = "hang";
  const before = wallet.count("eth_accounts");
  await page.reload();
  await expect.poll(() => wallet.count("eth_accounts")).toBeGreaterThan(before);
  await page.clock.fastForward(2000);
  await card(page)
    .getByRole("button", { name: /Reconnecting….*Cancel/ })
    .click();
  delete wallet.answers["eth_accounts"];
  await connect(page);
  await expect(dialog(page)).toContainText("Link this wallet");
});

test("an unanswered wallet prompt times out, and a late approval continues where it left off", async ({
  page,
  context,
  login,
}) => {
  const wallet = await installWallet(context);
  await page.clock.install();
  await login();
  await page.goto("/profile");
  wallet.answers["eth_requestAccounts"] = "hang";
  await connect(page);
  await expect.poll(() => wallet.count("eth_requestAccounts")).toBe(1);
  await page.clock.fastForward(61_000);
  await expect(dialog(page).getByRole("alert")).toContainText("No answer from Test Wallet");
  await dialog(page).getByRole("button", { name: "Close" }).click();
  await expect(card(page).getByRole("button", { name: "Connect wallet" })).toBeVisible();

  const late = Promise.withResolvers<"approve">();
  wallet.answers["eth_requestAccounts"] = late.promise;
  await connect(page);
  await expect.poll(() => wallet.count("eth_requestAccounts")).toBe(2);
  await page.clock.fastForward(61_000);
  await expect(dialog(page).getByRole("alert")).toContainText("No answer from Test Wallet");
  late.resolve("approve");
  await expect(card(page)).toContainText("Connected");
  await dialog(page).getByRole("button", { name: "Try again" }).click();
  await expect(dialog(page)).toContainText("Link this wallet");
});

// specification: 4.24
test("reconnects a wallet that was locked on the previous visit, and forgets one that denies access", async ({
  page,
  context,
  login,
}) => {
  const wallet = await installWallet(context);
  const [account] = wallet.accounts;
  await login();
  await page.goto("/profile");
  await connect(page);
  await dialog(page).getByRole("button", { name: "Not now" }).click();
  const again = card(page).getByRole("button", { name: "Connect wallet" });
  wallet.state.isLocked = true;
  await wallet.choose(account);
  await expect(again).toBeVisible();
  await page.reload();
  await expect(again).toBeVisible();
  wallet.state.isLocked = false;
  await page.reload();
  await expect(card(page).getByRole("button", { name: "Disconnect" })).toBeVisible();
  expect(wallet.count("eth_requestAccounts")).toBe(1);

  // A wallet that is unlocked but no longer permits the site is forgotten.
  const cookie = () => page.evaluate(() => document.cookie);
  expect(await cookie()).toContain("wallet=0x");
  wallet.state.isPermitted = false;
  await page.reload();
  await expect(again).toBeVisible();
  await expect.poll(cookie).not.toContain("wallet=");
});
