import { installWallet } from "../../support/pages/test-wallet.ts";
import { expect, test, blockLiveEvents } from "../fixtures.ts";
import { hydrated } from "../hydration.ts";
import { dialog, header, press, toast } from "../wallet-steps.ts";

// specification: 4.40, 4.42
test("shows success even if the network finishes between two polls, and a late response does not undo it", async ({
  page,
  context,
  login,
}) => {
  const wallet = await installWallet(context);
  await page.clock.install();
  await login({ heartbeats: 100, wallet: wallet.accounts[0].address });
  await page.goto("/dashboard");
  await header(page).getByRole("link", { name: "Create Smart Account" }).click();
  await press(page, "Connect wallet");
  await press(page, "Test Wallet");

  const created = Promise.withResolvers<void>();
  await page.route("**/machine-id", async (route) => {
    const response = await route.fetch();
    if (route.request().postData()?.includes("machineOwner")) await created.promise;
    await route.fulfill({ response });
  });
  // A live event makes the page read the account before the response arrives. The page sees nothing between no account
  // and a finished one, and nothing new after that.
  let isDone = false;
  await page.route(/\/read\/smart-account(?:\?|$)/, async (route) => {
    if (isDone) return;
    const response = await route.fetch();
    isDone = (await response.text()).includes('"completed"');
    const none = { success: true, smartAccount: null, message: "", status: "not_found", createdAt: null };
    await route.fulfill(isDone ? { response } : { json: none });
  });
  await press(page, "Create Smart Account");
  await expect(toast(page, "Smart Account created! You can now create a Machine ID.")).toBeVisible();
  created.resolve();
  await expect(toast(page, "Smart Account creation queued")).toBeVisible();
  await expect(dialog(page)).toHaveCount(0);
  await expect(header(page).getByRole("link", { name: "Create Machine ID" })).toBeVisible();

  await page.unrouteAll({ behavior: "ignoreErrors" });
  await blockLiveEvents(page);
  await page.reload({ waitUntil: "networkidle" });
  await hydrated(page);
  await page.route("**/read/machine-id-status*", (route) => route.fulfill({ json: { status: "completed" } }));
  await page.clock.runFor(10_000);
  await expect(toast(page, "Machine ID has been created successfully!")).toBeVisible();
});

const TYPED_DATA = {
  domain: { name: "Test", version: "1", chainId: 3338 },
  types: { Consent: [{ name: "text", type: "string" }] },
  primaryType: "Consent",
  message: { text: "I agree." },
};

test("a poll sent before the signature does not ask for it again after it is submitted", async ({
  page,
  context,
  login,
}) => {
  const wallet = await installWallet(context);
  await page.clock.install();
  await login({ heartbeats: 100, wallet: wallet.accounts[0].address });
  await blockLiveEvents(page);
  await page.goto("/dashboard");
  const account = { success: true, smartAccount: null, message: "", status: "completed", createdAt: null };
  await page.route(/\/read\/smart-account(?:\?|$)/, (route) => route.fulfill({ json: account }));
  let status = "waiting_for_signature";
  let held: Promise<void> | undefined;
  await page.route("**/read/machine-id-status*", async (route) => {
    const json = { status };
    await held;
    // The page may no longer wait for it.
    await route.fulfill({ json }).catch(() => {});
  });
  const [signed, answered, released] = [0, 1, 2].map(() => Promise.withResolvers<void>());
  await page.route("**/machine-id", async (route) => {
    const isSigned = route.request().postData()?.includes("sign-machine-id") ?? false;
    if (isSigned) {
      signed?.resolve();
      await answered?.promise;
    }
    await route.fulfill({ json: { message: "", ...(!isSigned && { typedData: TYPED_DATA }) } });
  });
  // When the member comes back, the page reads again what it read a while ago.
  await page.clock.fastForward(31 * 60_000);
  await page.evaluate(() => dispatchEvent(new Event("visibilitychange")));
  await header(page).getByRole("link", { name: "Machine ID Creation in Progress" }).click();
  await press(page, "Sign to create Machine ID");
  await press(page, "Test Wallet");
  await signed?.promise;

  held = released?.promise;
  const asked = page.waitForRequest("**/read/machine-id-status*");
  await page.clock.fastForward(10_000);
  await asked;
  status = "pending";
  answered?.resolve();
  await expect(toast(page, "Machine ID creation initiated")).toBeVisible();
  released?.resolve();
  // Resolves after the requests already on their way.
  await page.evaluate(() => fetch("/healthz").then((response) => response.text()));
  [status, held] = ["completed", undefined];
  await page.clock.fastForward(2000);
  await expect(toast(page, "Machine ID has been created successfully!")).toBeVisible();
  await header(page).getByRole("button", { name: "Messages" }).click();
  const said = page.getByRole("region", { name: "Messages" }).getByRole("listitem");
  await expect(said.nth(0)).toHaveText("Machine ID has been created successfully!");
  await expect(said.nth(1)).toHaveText("Machine ID creation initiated");
});
