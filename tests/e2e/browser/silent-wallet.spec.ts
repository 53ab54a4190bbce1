import { installWallet } from "../../support/pages/test-wallet.ts";
import { expect, test } from "../fixtures.ts";
import { connect, dialog, press, toast, walletCard as card } from "../wallet-steps.ts";

// specification: 4.23
test("a wallet that does not answer is given up, can be tried again, and changes nothing when it answers late", async ({
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

  // Nor is it connected behind the page's back, where the member could not connect it any more.
  silence.resolve("approve");
  await page.evaluate(() => window.testWallet("eth_accounts"));
  await expect(again).toBeVisible();
  await connect(page);
  await expect(dialog(page)).toContainText("Link this wallet");
});

test("nobody has to wait for a wallet that is slow to come back", async ({ page, context, login }) => {
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

test("a prompt that nobody answers is given up, and one that is answered late is taken up where it was left", async ({
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

test("what is signed after nobody waited any more links the wallet all the same", async ({ page, context, login }) => {
  const wallet = await installWallet(context);
  await page.clock.install();
  await login();
  await page.goto("/profile");
  await connect(page);
  const late = Promise.withResolvers<"approve">();
  wallet.answers["personal_sign"] = late.promise;
  await press(page, "Sign and link");
  await expect.poll(() => wallet.count("personal_sign")).toBe(1);
  await page.clock.fastForward(61_000);
  await expect(dialog(page).getByRole("alert")).toContainText("No answer from your wallet");

  // Asked for again, it is the later signature that counts.
  const again = Promise.withResolvers<"approve">();
  wallet.answers["personal_sign"] = again.promise;
  await press(page, "Sign and link");
  await expect.poll(() => wallet.count("personal_sign")).toBe(2);
  late.resolve("approve");
  await page.evaluate(() => window.testWallet("eth_accounts"));
  await expect(dialog(page).getByRole("status")).toContainText("Sign in your wallet");
  await page.clock.fastForward(61_000);
  await expect(dialog(page).getByRole("alert")).toContainText("No answer from your wallet");
  again.resolve("approve");
  await expect(toast(page, "Wallet linked successfully!")).toBeVisible();
  await expect(dialog(page)).toHaveCount(0);
  expect(wallet.count("personal_sign")).toBe(2);
});

test("what is signed after nobody waited any more creates a Smart Account all the same", async ({
  page,
  context,
  login,
}) => {
  const wallet = await installWallet(context);
  await page.clock.install();
  await login({ heartbeats: 100, wallet: wallet.accounts[0].address });
  await page.goto("/profile");
  await connect(page);
  const identity = page.getByRole("region", { name: "Smart Account and Machine ID" });
  const late = Promise.withResolvers<"approve">();
  wallet.answers["eth_signTypedData_v4"] = late.promise;
  await identity.getByRole("button", { name: "Create Smart Account" }).click();
  await expect.poll(() => wallet.count("eth_signTypedData_v4")).toBe(1);
  await page.clock.fastForward(61_000);
  await expect(identity.getByRole("alert")).toHaveText("Request timed out. Please try again");
  late.resolve("approve");
  await expect(toast(page, "Smart Account creation queued")).toBeVisible();
});

// specification: 4.24
test("a wallet that was locked on one visit is found again on the next", async ({ page, context, login }) => {
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

  // One that is open, and lets nobody in, is forgotten.
  const cookie = () => page.evaluate(() => document.cookie);
  expect(await cookie()).toContain("wallet=0x");
  wallet.state.isPermitted = false;
  await page.reload();
  await expect(again).toBeVisible();
  await expect.poll(cookie).not.toContain("wallet=");
});
