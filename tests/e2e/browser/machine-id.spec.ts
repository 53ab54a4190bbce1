import type { Locator, Page, Route } from "@playwright/test";
import { installWallet } from "../../support/pages/test-wallet.ts";
import { expectNoFindings } from "../expect-no-findings.ts";
import { expect, test, blockLiveEvents } from "../fixtures.ts";
import { hydrated } from "../hydration.ts";
import { advanceClockUntil } from "../pass-until.ts";
import { dialog, header, press, short, toast } from "../wallet-steps.ts";

// The browser itself logs failed requests.
test.use({ expectedConsole: [/net::ERR_FAILED|status of 5\d\d/] });

const open = (page: Page, name: string) => header(page).getByRole("link", { name, exact: true }).click();

/** Answers instead of the server. */
const answer = (status: number, body: object) => (route: Route) => route.fulfill({ status, json: body });

/** Matches the reads of these statuses, but not others whose names start the same. */
const ACCOUNT = /\/read\/smart-account(?:\?|$)/;

/** Opens the dialog, and connects the linked wallet, so that all requirements are met. */
async function meetRequirements(page: Page) {
  await open(page, "Create Smart Account");
  await press(page, "Connect wallet");
  await press(page, "Test Wallet");
  await expect(dialog(page)).toContainText("All requirements met!");
}

/** Expects something within the few seconds that polls and retries take. They pass faster here. */
const expectSoon = (page: Page, what: Locator) => advanceClockUntil(page, 1000, () => what.isVisible());

// specification: 0.3, 2.39, 2.53, 2.54, 4.35, 4.41, 4.42, 4.44, 4.45, 4.48, 4.50, 4.51, 5.12, 5.18, 8.32, 8.35, 8.39
test("a member creates a Machine ID, and another browser continues where the first one stopped", async ({
  page,
  context,
  browser,
  app,
  login,
}) => {
  const wallet = await installWallet(context);
  const [owner] = wallet.accounts;
  const member = await login({ heartbeats: 100 });
  const scripts: string[] = [];
  page.on("request", (request) => scripts.push(request.url()));
  const islands = () => scripts.filter((url) => /machine-id\.island|wallet-island/.test(url));
  await blockLiveEvents(page);
  await page.goto("/dashboard", { waitUntil: "networkidle" });
  await hydrated(page);
  expect(islands(), "loaded while nobody needs them").toEqual([]);
  await open(page, "Create Smart Account");
  await expect(dialog(page)).toContainText("Machine ID Requirements");
  await expect(dialog(page)).toContainText("100/100");
  await expectNoFindings(page);

  // One dialog at a time: connecting and linking replace this one, and lead back to it.
  await press(page, "Connect wallet");
  await press(page, "Test Wallet");
  await press(page, "Sign and link");
  await expect(dialog(page)).toContainText("All requirements met!");
  wallet.answers["eth_signTypedData_v4"] = "hang";
  await press(page, "Create Smart Account");
  const request = dialog(page).getByRole("status").filter({ hasText: "Open your wallet and respond to the request." });
  await expect(request).toBeVisible();
  await expectNoFindings(page);
  await page.reload();
  delete wallet.answers["eth_signTypedData_v4"];
  await open(page, "Create Smart Account");
  await press(page, "Create Smart Account");
  await expect(toast(page, "Smart Account creation queued")).toBeVisible();
  await expect(dialog(page)).toContainText("Smart Account Creation Queued");
  // Holds the next step back during this check: a toast stays for 4 s, and axe may take longer.
  const { promise: looked, resolve: goOn } = Promise.withResolvers<void>();
  await page.route(ACCOUNT, async (route) => {
    await looked;
    await route.continue();
  });
  await expectNoFindings(page);
  goOn();
  await expect(dialog(page)).toHaveCount(0);
  await expect(toast(page, "Smart Account created! You can now create a Machine ID.")).toBeVisible();

  await open(page, "Create Machine ID");
  await expect(dialog(page)).toContainText("Ready to create your Machine ID");
  await expect(dialog(page)).toContainText("Embedded ledger");
  const history = dialog(page).getByRole("region", { name: "History" });
  await expect(history.getByRole("listitem").first()).toContainText("Smart Account queued");
  await expect(history.getByRole("link")).toHaveCount(0);
  wallet.answers["eth_signTypedData_v4"] = "hang";
  await press(page, "Create Machine ID");
  await expect(toast(page, "Please sign the transaction to create your Machine ID")).toBeVisible();
  await expectNoFindings(page);

  const elsewhere = await browser.newContext({ baseURL: app.url });
  await elsewhere.addCookies([{ ...member.cookie, url: app.url }]);
  await elsewhere.grantPermissions(["clipboard-read", "clipboard-write"]);
  await installWallet(elsewhere, { accounts: wallet.accounts });
  const other = await elsewhere.newPage();
  await other.goto("/dashboard");
  await open(other, "Machine ID Creation in Progress");
  await press(other, "Sign to create Machine ID");
  // No wallet is connected here yet: that comes first, then it continues.
  await press(other, "Test Wallet");
  await expect(toast(other, "Machine ID creation initiated")).toBeVisible();
  await expect(dialog(other)).toContainText("Machine ID creation in progress...");
  await expect(dialog(other)).toHaveCount(0);
  await expect(toast(other, "Machine ID has been created successfully!")).toBeVisible();
  // The page reads its address once there is one.
  await expect(header(other).getByRole("link", { name: /^ID 0x/ })).toBeVisible();
  await header(other).getByRole("button", { name: "Copy Machine ID" }).click();
  await expect(toast(other, "Machine ID copied to clipboard")).toBeVisible();
  // A screen reader says it only once.
  expect(await header(other).getByRole("status").filter({ hasText: "Copied" }).count()).toBe(0);
  const address = await other.evaluate(() => navigator.clipboard.readText());
  await open(other, `ID ${short(address)}`);
  await expect(dialog(other)).toContainText("Machine ID creation completed!");
  await expect(dialog(other).getByRole("button", { name: "Copy Machine ID" })).toBeVisible();
  await expectNoFindings(other);

  // The prompt still open in the first browser is useless by now, and nothing depends on it.
  await page.reload();
  await expect(header(page)).toContainText(short(address));
  await page.goto("/profile#identity");
  const card = page.getByRole("region", { name: "Smart Account and Machine ID" });
  await expect(card).toContainText(`did:peaq:${address}`);
  await expect(card).toContainText(owner.address);
  await expectNoFindings(page);
  await elsewhere.close();
});

// specification: 5.13, 5.14, 5.15, 5.16, 5.17, 7.42, 8.27, 8.28, 8.29
test("each way a wallet can fail to sign has its own message, and starts nothing", async ({ page, context, login }) => {
  const wallet = await installWallet(context);
  const [owner, stranger] = wallet.accounts;
  await page.clock.install();
  await login({ heartbeats: 100, wallet: owner.address });
  await page.goto("/dashboard");
  await meetRequirements(page);
  const create = () => press(page, "Create Smart Account");

  // A toast under an open dialog cannot be reached.
  await page.route("**/creation-*.js", (route) => route.abort());
  await create();
  await expect(dialog(page).getByRole("alert")).toContainText("Unable to create Machine ID at the moment.");
  await page.unroute("**/creation-*.js");

  await wallet.choose(stranger);
  await create();
  await expect(toast(page, `Please connect with your linked wallet (${short(owner.address)})`)).toBeVisible();
  await wallet.choose(owner);

  wallet.answers["wallet_switchEthereumChain"] = "reject";
  await create();
  await expect(toast(page, "Please switch to the Peaq network in your wallet.")).toBeVisible();
  delete wallet.answers["wallet_switchEthereumChain"];
  wallet.state.chains.splice(0, 2, 1);
  wallet.answers["eth_signTypedData_v4"] = "reject";
  await create();
  await expect(toast(page, "Transaction cancelled")).toBeVisible();
  expect(wallet.count("wallet_addEthereumChain"), "a network it does not know is added").toBe(1);

  // The wallet has switched to another network without an event.
  wallet.state.chainId = 1;
  wallet.answers["eth_signTypedData_v4"] = { code: -32_000, message: "insufficient funds for gas" };
  await create();
  await expect(toast(page, "Insufficient funds in your wallet")).toBeVisible();
  expect(wallet.state.chainId).toBe(3338);
  wallet.answers["eth_signTypedData_v4"] = { code: -32_000, message: "Something is broken in here." };
  await create();
  await expect(toast(page, "Failed to create Smart Account")).toBeVisible();
  await expect(dialog(page).getByRole("alert")).toContainText(
    "Your wallet could not do that. It says: Something is broken in here.",
  );
  wallet.answers["eth_signTypedData_v4"] = "pending";
  await create();
  await expect(dialog(page).getByRole("alert")).toContainText("A request is already open in your wallet");
  wallet.answers["eth_signTypedData_v4"] = "hang";
  const asked = wallet.count("eth_signTypedData_v4");
  await create();
  await expect(dialog(page).getByRole("button", { name: "Waiting for your wallet…" })).toBeVisible();
  await expect.poll(() => wallet.count("eth_signTypedData_v4")).toBe(asked + 1);
  await page.clock.fastForward(61_000);
  await expect(toast(page, "Request timed out. Please try again")).toBeVisible();
  await expect(dialog(page)).toContainText("All requirements met!");

  // The error stays readable next to what is missing by now.
  await wallet.revoke();
  await expect(dialog(page)).toContainText("Machine ID Requirements");
  await expect(dialog(page)).not.toContainText("All requirements met!");
  await expect(dialog(page).getByRole("alert")).not.toBeEmpty();
});

// specification: 4.37, 4.52, 8.30, 8.31, 8.33, 8.34, 8.36, 8.37, 8.38
test("every failure of a creation has its own message, and the page keeps working", async ({
  page,
  context,
  login,
}) => {
  const wallet = await installWallet(context);
  await page.clock.install();
  await login({ heartbeats: 100, wallet: wallet.accounts[0].address });
  await page.goto("/dashboard");
  await meetRequirements(page);

  await page.route("**/machine-id", (route) => route.abort());
  await press(page, "Create Smart Account");
  await expect(toast(page, "Unable to create Machine ID at the moment. Please try again later")).toBeVisible();
  await page.unroute("**/machine-id");
  wallet.answers["eth_signTypedData_v4"] = { result: `0x${"11".repeat(64)}1b` };
  await press(page, "Create Smart Account");
  await expect(toast(page, "Failed to create Smart Account")).toBeVisible();
  await expect(dialog(page).getByRole("alert")).toContainText("signature");
  delete wallet.answers["eth_signTypedData_v4"];
  // Closing the dialog dismisses the error.
  await page.keyboard.press("Escape");
  await open(page, "Create Smart Account");
  await expect(dialog(page)).toContainText("All requirements met!");
  await expect(dialog(page).getByRole("alert")).toHaveCount(0);

  // The account's state cannot be read for a while: the button disappears until it can.
  await page.route(ACCOUNT, (route) => route.abort());
  await press(page, "Create Smart Account");
  await expectSoon(page, toast(page, "Failed to check smart account status"));
  await expect(header(page).getByRole("button", { name: /Smart Account/ })).toHaveCount(0);
  await page.unroute(ACCOUNT);
  await page.reload();

  // A wallet that could not sign starts nothing.
  const [owner, stranger] = wallet.accounts;
  await open(page, "Create Machine ID");
  await wallet.choose(stranger);
  await press(page, "Create Machine ID");
  await expect(toast(page, `Please connect with your linked wallet (${short(owner.address)})`)).toBeVisible();
  await expect(dialog(page)).toContainText("Ready to create your Machine ID");
  await wallet.choose(owner);

  await page.route("**/machine-id", answer(409, { message: "Not today.", error: "CONFLICT", statusCode: 409 }));
  await press(page, "Create Machine ID");
  await expect(toast(page, "Failed to initiate DID creation")).toBeVisible();
  await expect(dialog(page).getByRole("alert")).toHaveText("Not today.");
  await page.unroute("**/machine-id");
  wallet.answers["eth_signTypedData_v4"] = { result: `0x${"11".repeat(64)}1b` };
  await press(page, "Create Machine ID");
  await expect(toast(page, "Failed to create Machine ID")).toBeVisible();
  delete wallet.answers["eth_signTypedData_v4"];

  // A refusal by the network is shown in the dialog, which covers the toasts.
  await page.keyboard.press("Escape");
  await open(page, "Machine ID Creation in Progress");
  await expect(dialog(page)).toContainText("Your Machine ID is ready to sign.");
  let status: string | null = "pending";
  await page.route("**/read/machine-id-status*", (route) => route.fulfill({ json: { status } }));
  // A screen reader hears it, too.
  await expectSoon(page, dialog(page).getByRole("status").filter({ hasText: "Machine ID creation in progress..." }));
  status = null;
  await expectSoon(
    page,
    dialog(page)
      .getByRole("alert")
      .filter({ hasText: /^Failed to create Machine ID$/ }),
  );
  await page.unroute("**/read/machine-id-status*");

  const next = header(page).getByText(/^(Create Machine ID|Machine ID Creation in Progress)$/);
  await expect(next).toHaveCount(1);
  await page.route("**/read/machine-id-status*", (route) => route.abort());
  await expectSoon(page, toast(page, "Failed to check machine ID status"));
  await expect(next).toHaveCount(0);
  await expect(dialog(page).getByText("What you see may be out of date.")).toBeVisible();
  await page.unroute("**/read/machine-id-status*");
  await page.reload();

  // The finished record cannot be read: pressing the button says so and opens the dialog.
  await page.route("**/read/machine-identity*", answer(200, { success: true, message: "", data: null }));
  await open(page, "Machine ID Creation in Progress");
  await press(page, "Sign to create Machine ID");
  await expect(toast(page, "Machine ID creation initiated")).toBeVisible();
  await expectSoon(page, header(page).getByRole("button", { name: "Copy Machine ID" }));
  await header(page).getByRole("button", { name: "Copy Machine ID" }).click();
  await expect(toast(page, "Machine ID not available")).toBeVisible();
  await expect(dialog(page)).toContainText("Machine ID not available");
});

// specification: 5.12
test("a member whose session has ended is told so on the sign-in page", async ({ page, context, app, login }) => {
  const wallet = await installWallet(context);
  const member = await login({ heartbeats: 100, wallet: wallet.accounts[0].address });
  // With live events the page would leave before anything is pressed.
  await blockLiveEvents(page);
  await page.goto("/dashboard");
  await meetRequirements(page);
  await fetch(`${app.url}/api/auth/logout`, { method: "POST", headers: { Authorization: `Bearer ${member.token}` } });
  await press(page, "Create Smart Account");
  await expect(page).toHaveURL(/\/auth(\?|$)/);
  await expect(toast(page, "You must be logged in to create a Machine ID")).toBeVisible();
});
