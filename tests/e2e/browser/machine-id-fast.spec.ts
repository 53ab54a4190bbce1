import { installWallet } from "../../support/test-wallet.ts";
import { expect, test, withoutEvents } from "../fixtures.ts";
import { hydrated } from "../hydration.ts";
import { dialog, header, press, toast } from "../wallet-steps.ts";

// specification: 4.40, 4.42
test("on a network that is done between two looks, success is said all the same, and stays", async ({
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
  // A live event has the account read before the answer is there. The page sees nothing between none and a finished one,
  // and from then on nothing new.
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
  await withoutEvents(page);
  await page.reload({ waitUntil: "networkidle" });
  await hydrated(page);
  await page.route("**/read/machine-id-status*", (route) => route.fulfill({ json: { status: "completed" } }));
  await page.clock.runFor(10_000);
  await expect(toast(page, "Machine ID has been created successfully!")).toBeVisible();
});
