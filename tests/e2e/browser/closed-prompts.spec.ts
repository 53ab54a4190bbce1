import type { Page } from "@playwright/test";
import { installWallet } from "../../support/pages/test-wallet.ts";
import { expect, test } from "../fixtures.ts";
import { connect, dialog, header, press, toast, walletCard as card } from "../wallet-steps.ts";

/* What a wallet does after the member has closed the dialog that asked it. */

const DISCONNECTED = "Wallet disconnected";
const CLOSED = "Nothing was linked: you closed the dialog before you signed.";
/** Longer than a wallet has, in milliseconds. */
const A_MINUTE_MS = 61_000;

/** Returns a function that lists what toasts have said from now on, even if they are gone by then. */
async function listenToToasts(page: Page) {
  await page.evaluate(() => {
    const said = new Map<Element, string>();
    new MutationObserver(() => {
      for (const each of document.querySelectorAll("[data-sonner-toast]")) said.set(each, each.textContent);
    }).observe(document.body, { childList: true, subtree: true });
    Object.assign(window, { said });
  });
  return () => page.evaluate(() => Array.from((Reflect.get(window, "said") as Map<Element, string>).values()));
}

/** Closes the open dialog. It is then removed from the page, not just hidden. */
async function close(page: Page) {
  await page.keyboard.press("Escape");
  await expect(page.locator("dialog[open]")).toHaveCount(0);
}

/** Disconnects, and waits for the toast that says so: it comes after whatever was said before. */
async function disconnect(page: Page) {
  await card(page).getByRole("button", { name: "Disconnect" }).click();
  await expect(toast(page, DISCONNECTED)).toBeVisible();
}

test("a linking dialog that was closed says so once, and no more when its wallet does not answer", async ({
  page,
  context,
  login,
}) => {
  const wallet = await installWallet(context);
  await page.clock.install();
  await login();
  await page.goto("/profile");
  const listToasts = await listenToToasts(page);
  await connect(page);
  wallet.answers["personal_sign"] = "hang";
  await press(page, "Sign and link");
  await expect.poll(() => wallet.count("personal_sign")).toBe(1);
  await close(page);
  await expect(toast(page, CLOSED)).toBeVisible();
  await page.clock.fastForward(A_MINUTE_MS);
  await disconnect(page);
  expect(await listToasts()).toEqual([CLOSED, DISCONNECTED]);
});

for (const answer of ["approve", "reject"] as const) {
  test(`a linking dialog that was closed says nothing about a late answer: ${answer}`, async ({
    page,
    context,
    login,
  }) => {
    const wallet = await installWallet(context);
    await login();
    await page.goto("/profile");
    const listToasts = await listenToToasts(page);
    await connect(page);
    const late = Promise.withResolvers<typeof answer>();
    wallet.answers["personal_sign"] = late.promise;
    await press(page, "Sign and link");
    await expect.poll(() => wallet.count("personal_sign")).toBe(1);
    await close(page);
    await expect(toast(page, CLOSED)).toBeVisible();
    late.resolve(answer);
    await page.evaluate(() => window.testWallet("personal_sign", ["0x", "0x"]));
    await disconnect(page);
    expect(await listToasts()).toEqual([CLOSED, DISCONNECTED]);
    await page.reload();
    await expect(card(page)).toContainText("Not linked");
  });
}

test("a connecting dialog that was closed says nothing when its wallet does not answer", async ({
  page,
  context,
  login,
}) => {
  const wallet = await installWallet(context);
  await page.clock.install();
  await login();
  await page.goto("/profile");
  const listToasts = await listenToToasts(page);
  wallet.answers["eth_requestAccounts"] = "hang";
  await connect(page);
  await expect.poll(() => wallet.count("eth_requestAccounts")).toBe(1);
  await close(page);
  await page.clock.fastForward(A_MINUTE_MS);
  wallet.answers["eth_requestAccounts"] = "approve";
  await connect(page);
  await expect(dialog(page)).toContainText("Link this wallet");
  await press(page, "Not now");
  await disconnect(page);
  expect(await listToasts()).toEqual([DISCONNECTED]);
});

test("a Machine ID dialog that was closed says nothing when its wallet does not answer, now or later", async ({
  page,
  context,
  login,
}) => {
  const wallet = await installWallet(context);
  await page.clock.install();
  await login({ heartbeats: 100, wallet: wallet.accounts[0].address });
  await page.goto("/dashboard");
  const listToasts = await listenToToasts(page);
  const open = () => header(page).getByRole("link", { name: "Create Smart Account", exact: true }).click();
  await open();
  await press(page, "Connect wallet");
  await press(page, "Test Wallet");
  wallet.answers["eth_signTypedData_v4"] = "hang";
  await press(page, "Create Smart Account");
  await expect.poll(() => wallet.count("eth_signTypedData_v4")).toBe(1);
  await close(page);
  await page.clock.fastForward(A_MINUTE_MS);
  await open();
  await expect(dialog(page).getByRole("button", { name: "Create Smart Account" })).toBeVisible();
  await expect(dialog(page)).not.toContainText("timed out");
  wallet.answers["eth_signTypedData_v4"] = "approve";
  await press(page, "Create Smart Account");
  await expect(toast(page, "Smart Account creation queued")).toBeVisible();
  expect(await listToasts()).not.toContainEqual(expect.stringContaining("timed out"));
});
