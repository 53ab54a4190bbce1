import { installWallet } from "../../support/pages/test-wallet.ts";
import { expectNoFindings } from "../expect-no-findings.ts";
import { expect, test, blockLiveEvents } from "../fixtures.ts";
import { connect, dialog, header, short, toast, walletCard as card } from "../wallet-steps.ts";

// The browser itself logs failed requests.
test.use({ expectedConsole: [/net::ERR_FAILED/] });

// specification: 2.59, 4.24, 4.25, 4.28, 7.39, 7.42, 8.20, 8.21
test("connects a wallet, links it, and reconnects it on the next page", async ({ page, context, login }) => {
  const wallet = await installWallet(context);
  const [first, second] = wallet.accounts;
  await login();
  await page.goto("/profile");
  await expect(card(page)).toContainText("Not linked");
  await connect(page);

  // The linking dialog opens after a wallet connects, and explains what linking means before it asks the wallet.
  await expect(dialog(page)).toContainText("You can link a wallet once and change it once.");
  await expect(dialog(page)).toContainText(first.address);
  await expectNoFindings(page);
  expect(wallet.count("personal_sign")).toBe(0);
  // A link is not tied to a network, so it does not matter that the wallet has switched to another without an event.
  wallet.state.chainId = 11_155_111;
  await dialog(page).getByRole("button", { name: "Sign and link" }).click();
  await expect(toast(page, "Wallet linked successfully!")).toBeVisible();
  await expect(dialog(page)).toHaveCount(0);
  await expect(card(page)).toContainText(first.address);
  await expect(page.getByRole("banner")).toContainText(short(first.address));
  await expect(page.getByRole("banner").getByTitle("connected", { exact: true })).toBeVisible();
  await expect(page.getByRole("region", { name: "Security activity", exact: true })).toContainText("Wallet linked");
  expect(wallet.count("personal_sign")).toBe(1);

  // Without scripts yet, the page says that the wallet is reconnecting, not that it is gone.
  const html = await (await page.request.get("/profile")).text();
  expect(html).toContain("Reconnecting…");
  expect(html).not.toContain("Connect wallet");
  await page.reload();
  await expect(card(page).getByRole("button", { name: "Disconnect" })).toBeVisible();
  expect(wallet.count("eth_requestAccounts")).toBe(1);

  // Many wallets have no way to revoke a page's access. Choosing another account does not connect again.
  wallet.answers["wallet_revokePermissions"] = { code: -32_601, message: "Not known." };
  await card(page).getByRole("button", { name: "Disconnect" }).click();
  await expect(toast(page, "Wallet disconnected")).toBeVisible();
  await wallet.choose(second);
  // A page that reconnects has requested both before these responses come.
  for (const method of ["eth_chainId", "eth_accounts", "eth_accounts"])
    await page.evaluate((each) => window.testWallet(each), method);
  await page.reload();
  await expect(card(page).getByRole("button", { name: "Connect wallet" })).toBeVisible();
});

// specification: 4.23, 8.15, 8.16, 8.17
test("each connection failure has its own message, with what to do next", async ({ page, context, login }) => {
  const wallet = await installWallet(context);
  await page.clock.install();
  await login();
  await page.goto("/profile");

  wallet.answers["eth_requestAccounts"] = "reject";
  await connect(page);
  await expect(toast(page, "Wallet connection was rejected")).toBeVisible();
  await expect(dialog(page).getByRole("alert")).toContainText("You declined in Test Wallet");

  const again = dialog(page).getByRole("button", { name: "Try again" });
  wallet.answers["eth_requestAccounts"] = "pending";
  await again.click();
  await expect(dialog(page).getByRole("alert")).toContainText("Test Wallet is waiting for an answer");

  wallet.answers["eth_requestAccounts"] = { code: -32_603, message: "Internal error" };
  await again.click();
  await expect(toast(page, "Failed to connect wallet")).toBeVisible();
  await expect(dialog(page).getByRole("alert")).toContainText("Test Wallet could not be connected");

  wallet.answers["eth_requestAccounts"] = { result: [] };
  await again.click();
  await expect(toast(page, "No account selected")).toBeVisible();
  await expect(dialog(page).getByRole("alert")).toContainText("No account was selected");
  await expectNoFindings(page);

  wallet.answers["eth_requestAccounts"] = "hang";
  wallet.state.isLocked = true;
  await again.click();
  await expect(dialog(page).getByRole("status")).toContainText("Test Wallet is locked");
  await expect(card(page)).toContainText("Connecting…");
  await page.clock.fastForward(61_000);
  await expect(toast(page, "Request timed out. Please try again")).toBeVisible();
  await expect(dialog(page).getByRole("alert")).toContainText("No answer from Test Wallet");
  // A wallet whose extension was updated meanwhile never answers this page.
  await expect(dialog(page).getByRole("alert")).toContainText("or reload this page.");

  wallet.answers["eth_requestAccounts"] = "approve";
  await again.click();
  await expect(dialog(page)).toContainText("Link this wallet");
});

// specification: 8.18, 8.19
test("says where to get a wallet if there is none, and names one that has disappeared", async ({
  page,
  context,
  login,
}) => {
  await login();
  await page.goto("/profile");
  await card(page).getByRole("button", { name: "Connect wallet" }).click();
  // The dialog is open by then: without this message, its reader would wait for a list.
  await expect(dialog(page).getByRole("alert")).toContainText("No wallet in this browser");
  await expect(dialog(page).getByRole("link", { name: /Install MetaMask/ })).toBeVisible();
  await expectNoFindings(page);
  const install = toast(page, "Please install MetaMask to connect a wallet");
  await expect(install).toHaveCount(0);
  await dialog(page).getByRole("button", { name: "Close" }).click();
  await expect(install).toBeVisible();

  await installWallet(context, { announced: false });
  await page.reload();
  await card(page).getByRole("button", { name: "Connect wallet" }).click();
  const metaMask = dialog(page).getByRole("button", { name: "MetaMask" });
  await expect(metaMask).toBeVisible();
  await page.evaluate(() => delete window.ethereum);
  await metaMask.click();
  await expect(toast(page, "MetaMask connector not found")).toBeVisible();
});

// specification: 4.25, 5.11, 8.23, 8.26, 8.27, 8.28, 8.29
test("each signing failure has its own message, with what to do next", async ({ page, context, app, login }) => {
  const wallet = await installWallet(context);
  await page.clock.install();
  const member = await login();
  await blockLiveEvents(page);
  await page.goto("/profile");
  await connect(page);
  const sign = dialog(page).getByRole("button", { name: "Sign and link" });
  const alert = dialog(page).getByRole("alert");

  wallet.answers["personal_sign"] = "reject";
  await sign.click();
  await expect(toast(page, "Transaction cancelled")).toBeVisible();
  await expect(alert).toContainText("You declined in your wallet");

  wallet.answers["personal_sign"] = "pending";
  await sign.click();
  await expect(alert).toContainText("Your wallet is waiting for an answer");

  wallet.answers["personal_sign"] = { code: -32_000, message: "insufficient funds for gas" };
  await sign.click();
  await expect(toast(page, "Insufficient funds in your wallet")).toBeVisible();
  await expect(alert).toContainText("Insufficient funds in your wallet");

  wallet.answers["personal_sign"] = { code: -32_603, message: "Wrong chain or network." };
  const before = await page.getByRole("listitem").filter({ hasText: "chain" }).count();
  await sign.click();
  await expect(alert).toContainText("An error occurred while linking your wallet");
  await expect(alert).toContainText("Your wallet is on another network.");
  expect(await page.getByRole("listitem").filter({ hasText: "chain" }).count()).toBe(before);

  // The wallet's own message, as far as it fits.
  wallet.answers["personal_sign"] = {
    code: -32_603,
    message: `Please enable\u202e blind signing. ${"x".repeat(9999)}`,
  };
  await sign.click();
  const said = `Please enable blind signing. ${"x".repeat(171)}`;
  await expect(toast(page, said)).toBeVisible();
  await expect(alert).toContainText(said);

  wallet.answers["personal_sign"] = "hang";
  await sign.click();
  await expect(dialog(page).getByRole("status")).toContainText("Sign in your wallet");
  await expectNoFindings(page);
  await page.clock.fastForward(61_000);
  await expect(toast(page, "Request timed out. Please try again")).toBeVisible();

  // The server's own message, or ours if it sends none.
  wallet.answers["personal_sign"] = { result: `0x${"11".repeat(64)}1b` };
  await sign.click();
  await expect(toast(page, "The signature is not from this wallet. Please start again.")).toBeVisible();
  wallet.answers["personal_sign"] = "approve";
  await page.route("**/wallet/link", (route) => route.abort());
  await sign.click();
  await expect(toast(page, "An error occurred while linking your wallet")).toBeVisible();
  await expect(alert).toContainText("Please try again in a moment.");
  await page.unroute("**/wallet/link");

  // The wallet revokes the connection while the dialog is open.
  await wallet.revoke();
  await expect(dialog(page)).toContainText("Not connected");
  await sign.click();
  await expect(toast(page, "No wallet connected. Please connect your wallet first.")).toBeVisible();

  await dialog(page).getByRole("button", { name: "Not now" }).click();
  await connect(page);

  // The session ends before there is anything to sign. Blocks the page's reads, which could find out first: then the
  // page would leave with a different message.
  await page.route("**/read/**", () => {});
  await page.route("**/wallet/link", async (route) => {
    await fetch(`${app.url}/api/auth/logout`, { method: "POST", headers: { Authorization: `Bearer ${member.token}` } });
    await route.continue();
  });
  await sign.click();
  await expect(page).toHaveURL(/\/auth\?/);
  await expect(toast(page, "You must be logged in to link a wallet")).toBeVisible();
});

// specification: 1.6, 4.29, 5.15, 5.16, 5.17, 7.42, 8.22, 8.25
test("changing the linked wallet shows in every tab, and is possible once; then the page says why", async ({
  page,
  context,
  login,
}) => {
  const wallet = await installWallet(context);
  const [first, second] = wallet.accounts;
  await login();
  await page.goto("/profile");
  await connect(page);
  await dialog(page).getByRole("button", { name: "Sign and link" }).click();
  await expect(card(page)).toContainText("The wallet can be changed once.");
  const other = await context.newPage();
  await other.goto("/dashboard");
  await expect(other.getByRole("complementary").getByRole("button", { name: "Disconnect" })).toBeVisible();
  // A page behind another is slow to respond.
  await page.bringToFront();

  // The linked account itself is not a change; another account, chosen in the wallet, is.
  await card(page).getByRole("button", { name: "Change wallet" }).click();
  await expect(dialog(page).getByRole("alert")).toContainText("This is the linked wallet");
  await wallet.choose(second);
  await expect(dialog(page)).toContainText(second.address);
  await expect(dialog(page).getByRole("alert")).toHaveCount(0);
  await expect(header(page)).toContainText(short(second.address));
  // If there is room for one of the two, the linked one is shown.
  for (const { width, isWide } of [
    { width: 1024, isWide: false },
    { width: 1440, isWide: true },
  ]) {
    await page.setViewportSize({ width, height: 900 });
    await expect(header(page).getByText(short(first.address))).toBeVisible();
    await expect(header(page).getByText(short(second.address))).toBeVisible({ visible: isWide });
  }

  wallet.answers["personal_sign"] = { result: `0x${"11".repeat(64)}1b` };
  const sign = dialog(page).getByRole("button", { name: "Sign and change" });
  await sign.click();
  await expect(toast(page, "The signature is not from this wallet. Please start again.")).toBeVisible();
  await page.route("**/wallet/change", (route) => route.abort());
  await sign.click();
  await expect(toast(page, "Failed to change wallet")).toBeVisible();
  await page.unroute("**/wallet/change");

  wallet.answers["personal_sign"] = "parity";
  await sign.click();
  await expect(toast(page, "Wallet changed successfully!")).toBeVisible();
  await expect(card(page)).toContainText("You have already changed your wallet.");
  await expect(card(page).getByRole("button", { name: "Change wallet" })).toHaveCount(0);
  await expect(other.getByRole("banner")).toContainText(short(second.address));
  await expect(other.getByRole("banner")).not.toContainText(short(first.address));

  // Members who connect with an account that is not linked are told so, until they choose the right one.
  await card(page).getByRole("button", { name: "Disconnect" }).click();
  await expect(other.getByRole("complementary").getByRole("button", { name: "Connect wallet" })).toBeVisible();
  await wallet.choose(first);
  await connect(page);
  await expect(dialog(page).getByRole("alert")).toContainText("This is not your linked wallet");
  await expect(dialog(page)).toContainText(first.address);
  await expect(dialog(page)).toContainText(second.address);
  await wallet.choose(second);
  await expect(dialog(page)).toHaveCount(0);

  // A network that the wallet does not know is added; a refusal is shown.
  wallet.answers["wallet_switchEthereumChain"] = "reject";
  await card(page).getByRole("button", { name: "Switch to Peaq" }).click();
  await expect(toast(page, "Please switch to the Peaq network in your wallet.")).toBeVisible();
  wallet.answers["wallet_switchEthereumChain"] = "approve";
  wallet.state.chains.splice(0, 2, 1);
  await card(page).getByRole("button", { name: "Switch to Peaq" }).click();
  await expect(card(page)).toContainText("Peaq");
  await expect(card(page).getByRole("button", { name: "Switch to Peaq" })).toHaveCount(0);
  expect(wallet.count("wallet_addEthereumChain")).toBe(1);
});
