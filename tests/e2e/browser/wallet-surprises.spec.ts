import type { Page } from "@playwright/test";
import { installWallet } from "../../support/pages/test-wallet.ts";
import { expect, test } from "../fixtures.ts";
import { connect, dialog, header, press, toast, walletCard as card } from "../wallet-steps.ts";

/** Opens the linking dialog of a member whose wallet is connected. */
async function openLinking(page: Page) {
  await page.goto("/profile");
  await connect(page);
  await expect(dialog(page)).toContainText("Link this wallet");
}

const identity = (page: Page) => page.getByRole("region", { name: "Smart Account and Machine ID", exact: true });

/** Clicks a button of the dialog twice before the page has handled the first click. */
const pressTwice = (page: Page, name: string) =>
  dialog(page)
    .getByRole("button", { name, exact: true })
    .evaluate((button: HTMLButtonElement) => {
      button.click();
      button.click();
    });

test("a wallet that does not authorize the page shows what to do, and can be retried", async ({
  page,
  context,
  login,
}) => {
  const wallet = await installWallet(context);
  await login();
  await page.goto("/profile");
  wallet.answers["eth_requestAccounts"] = { code: 4100, message: "The requested account has not been authorized." };
  await connect(page);
  await expect(dialog(page).getByRole("alert")).toContainText("Test Wallet did not let this page in");
  wallet.answers["eth_requestAccounts"] = "approve";
  await press(page, "Try again");
  await expect(dialog(page)).toContainText("Link this wallet");
});

// specification: 5.11
test("a wallet that has quietly ended the connection is no longer shown as connected", async ({
  page,
  context,
  login,
}) => {
  const wallet = await installWallet(context);
  await login();
  await openLinking(page);
  wallet.state.isPermitted = false;
  await press(page, "Sign and link");
  await expect(toast(page, "No wallet connected. Please connect your wallet first.")).toBeVisible();
  await expect(dialog(page)).toContainText("Not connected");
  await press(page, "Not now");
  await expect(card(page).getByRole("button", { name: "Connect wallet" })).toBeVisible();
});

test("a wallet disconnected in one tab does not reconnect in another that is waiting for it", async ({
  page,
  context,
  login,
}) => {
  const wallet = await installWallet(context);
  await login();
  await openLinking(page);
  await press(page, "Not now");
  const late = Promise.withResolvers<"approve">();
  wallet.answers["eth_accounts"] = late.promise;
  // Many wallets have no way to revoke a page's access.
  wallet.answers["wallet_revokePermissions"] = { code: -32_601, message: "Not known." };
  const before = wallet.count("eth_accounts");
  const other = await context.newPage();
  await other.goto("/profile");
  await expect.poll(() => wallet.count("eth_accounts")).toBeGreaterThan(before);
  await other.evaluate(() => {
    const told = new Promise((resolve) => {
      new BroadcastChannel("tabs wallet").addEventListener("message", () => resolve(true));
    });
    Object.assign(window, { told });
  });

  await page.bringToFront();
  await card(page).getByRole("button", { name: "Disconnect" }).click();
  await expect(toast(page, "Wallet disconnected")).toBeVisible();
  await other.evaluate(() => Reflect.get(window, "told"));
  late.resolve("approve");
  await other.evaluate(() => window.testWallet("eth_accounts"));
  await expect(card(other).getByRole("button", { name: "Connect wallet" })).toBeVisible();
  expect(await other.evaluate(() => document.cookie)).not.toContain("wallet=");
});

test("a wallet whose extension is gone can still be disconnected", async ({ page, context, login }) => {
  await installWallet(context, { announced: false });
  await login();
  await page.goto("/profile");
  await connect(page, "MetaMask");
  await press(page, "Not now");
  await page.evaluate(() => void (window.ethereum = undefined));
  await card(page).getByRole("button", { name: "Disconnect" }).click();
  await expect(toast(page, "Wallet disconnected")).toBeVisible();
  await expect(card(page).getByRole("button", { name: "Connect wallet" })).toBeVisible();
});

test("switching accounts while one of them signs links neither account", async ({ page, context, login }) => {
  const wallet = await installWallet(context);
  const [first, second] = wallet.accounts;
  await login();
  await openLinking(page);
  const signing = Promise.withResolvers<{ result: string }>();
  wallet.answers["personal_sign"] = signing.promise;
  await press(page, "Sign and link");
  await expect.poll(() => wallet.count("personal_sign")).toBe(1);
  await wallet.choose(second);
  await expect(dialog(page), "what is being signed for").toContainText(first.address);

  const { params = [] } = wallet.asked.findLast(({ method }) => method === "personal_sign") ?? {};
  const [raw] = params as [`0x${string}`];
  signing.resolve({ result: await first.signMessage({ message: { raw } }) });
  await expect(dialog(page).getByRole("alert")).toContainText("Your wallet is on another account now");
  await expect(dialog(page)).toContainText(second.address);
  delete wallet.answers["personal_sign"];
  await press(page, "Sign and link");
  await expect(toast(page, "Wallet linked successfully!")).toBeVisible();
  await expect(card(page)).toContainText(second.address);
});

// specification: 5.10
test("a wallet response without a signature is not submitted", async ({ page, context, login }) => {
  const wallet = await installWallet(context);
  await login();
  await openLinking(page);
  const sent: string[] = [];
  page.on("request", (request) => {
    if (request.url().endsWith("/wallet/link")) sent.push(request.postData() ?? "");
  });
  wallet.answers["personal_sign"] = { result: null };
  await press(page, "Sign and link");
  await expect(toast(page, "Signature is required")).toBeVisible();
  await expect(dialog(page).getByRole("alert")).toContainText("Your wallet sent no signature");
  expect(sent.filter((body) => body.includes("submit"))).toEqual([]);
});

test("closing the dialog while the wallet prompts links nothing, and says so", async ({ page, context, login }) => {
  const wallet = await installWallet(context);
  await login();
  await openLinking(page);
  const signing = Promise.withResolvers<"approve">();
  wallet.answers["personal_sign"] = signing.promise;
  await pressTwice(page, "Sign and link");
  await expect.poll(() => wallet.count("personal_sign")).toBe(1);
  await page.keyboard.press("Escape");
  // Removed from the page, not just hidden.
  await expect(page.locator("dialog").filter({ hasText: "Link this wallet" })).toHaveCount(0);
  await expect(toast(page, "Nothing was linked: you closed the dialog before you signed.")).toBeVisible();
  signing.resolve("approve");
  expect(wallet.count("personal_sign"), "two presses at once").toBe(1);
  await page.reload();
  await expect(card(page)).toContainText("Not linked");
});

test("a link saved after its dialog was closed does not close a dialog opened since", async ({
  page,
  context,
  login,
}) => {
  await installWallet(context);
  await login();
  await openLinking(page);
  const saving = Promise.withResolvers<void>();
  await page.route("**/wallet/link", async (route) => {
    if (route.request().postData()?.includes("submit")) await saving.promise;
    await route.continue();
  });
  await press(page, "Sign and link");
  await expect(dialog(page).getByRole("status")).toContainText("The signature is being checked.");
  await page.keyboard.press("Escape");
  await card(page).getByRole("button", { name: "Disconnect" }).click();
  await card(page).getByRole("button", { name: "Connect wallet" }).click();
  await expect(dialog(page)).toContainText("Connect a wallet");
  saving.resolve();
  await expect(toast(page, "Wallet linked successfully!")).toBeVisible();
  await expect(dialog(page)).toContainText("Connect a wallet");
});

test("a double press opens one wallet prompt and shows one toast, and the prompt survives the dialog", async ({
  page,
  context,
  login,
}) => {
  const wallet = await installWallet(context);
  await login({ heartbeats: 100, wallet: wallet.accounts[0].address });
  await page.goto("/dashboard");
  const open = (name: string) => header(page).getByRole("link", { name, exact: true }).click();
  await open("Create Smart Account");
  await press(page, "Connect wallet");
  await press(page, "Test Wallet");
  const signing = Promise.withResolvers<"approve">();
  wallet.answers["eth_signTypedData_v4"] = signing.promise;
  await pressTwice(page, "Create Smart Account");
  await expect(dialog(page).getByRole("button", { name: "Waiting for your wallet…" })).toBeVisible();
  await page.keyboard.press("Escape");
  await open("Create Smart Account");
  await expect(dialog(page).getByRole("button", { name: "Waiting for your wallet…" })).toBeVisible();
  signing.resolve("approve");
  await expect(toast(page, "Smart Account creation queued")).toHaveCount(1);
  await expect(dialog(page)).toHaveCount(0);
  expect(wallet.count("eth_signTypedData_v4")).toBe(1);

  await open("Create Machine ID");
  await pressTwice(page, "Create Machine ID");
  await expect(toast(page, "Machine ID creation initiated")).toHaveCount(1);
  await expect(toast(page, "Machine ID has been created successfully!")).toBeVisible();
  expect(wallet.count("eth_signTypedData_v4")).toBe(2);
});

test("a tab that signs after another one says what happened in the other tab", async ({ page, context, login }) => {
  const wallet = await installWallet(context);
  await login({ heartbeats: 100, wallet: wallet.accounts[0].address });
  const other = await context.newPage();
  for (const tab of [page, other]) {
    await tab.goto("/profile#identity");
  }
  await card(page).getByRole("button", { name: "Connect wallet" }).click();
  await press(page, "Test Wallet");
  const late = Promise.withResolvers<"approve">();
  wallet.answers["eth_signTypedData_v4"] = late.promise;
  await identity(other).getByRole("button", { name: "Create Smart Account" }).click();
  await expect.poll(() => wallet.count("eth_signTypedData_v4")).toBe(1);
  delete wallet.answers["eth_signTypedData_v4"];
  await page.bringToFront();
  await identity(page).getByRole("button", { name: "Create Smart Account" }).click();
  await expect(toast(page, "Smart Account creation queued")).toBeVisible();

  await other.bringToFront();
  late.resolve("approve");
  await expect(other.getByText(/You (?:started|created) it in another tab or on another device\.$/)).toBeVisible();
  await expect(toast(other, "Failed to create Smart Account")).toHaveCount(0);
});

test("the linking dialog says so if the wallet was linked in another tab in the meantime", async ({
  page,
  context,
  login,
}) => {
  await installWallet(context);
  await login();
  await openLinking(page);
  const other = await context.newPage();
  await other.goto("/profile");
  const passes = page.waitForRequest("**/read/node-pass*");
  await card(other).getByRole("button", { name: "Link wallet" }).click();
  await press(other, "Sign and link");
  await expect(toast(other, "Wallet linked successfully!")).toBeVisible();
  await page.bringToFront();
  await expect(dialog(page).getByRole("alert")).toContainText("This wallet is linked");
  await expect(dialog(page).getByRole("button", { name: "Sign and link" })).toBeDisabled();
  await passes;
});
