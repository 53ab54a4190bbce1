import { newWallet } from "../../support/chain/new-wallet.ts";
import { installWallet } from "../../support/pages/test-wallet.ts";
import { expect, test } from "../fixtures.ts";
import { connect, dialog, press, walletCard as card } from "../wallet-steps.ts";

test("a member who connected the wrong wallet can choose again, even after it is disconnected", async ({
  page,
  context,
  login,
}) => {
  const wallet = await installWallet(context);
  const linked = newWallet().address;
  await context.addInitScript(announceAnother, linked);
  await login({ wallet: linked });
  await page.goto("/profile");
  await connect(page);
  await expect(dialog(page).getByRole("alert")).toContainText("This is not your linked wallet");
  // The wallet gets no more requests, so nobody has to wait for it.
  await wallet.revoke();
  await press(page, "Test Wallet");
  await press(page, "Use another wallet");
  await press(page, "Another Wallet");
  await expect(dialog(page)).toHaveCount(0);
  await expect(card(page).getByRole("button", { name: "Disconnect" })).toBeVisible();
  await expect(card(page)).not.toContainText("Connected");
});

/** Runs in the page. Announces a second wallet, with one account. */
function announceAnother(address: string) {
  if (!isSecureContext) return;
  const answers: Record<string, unknown> = { eth_accounts: [], eth_requestAccounts: [address], eth_chainId: "0x1" };
  const provider = {
    on() {},
    removeListener() {},
    async request({ method }: { method: string }) {
      if (!(method in answers)) throw Object.assign(new Error("Not known."), { code: -32_601 });
      if (method === "eth_requestAccounts") answers["eth_accounts"] = [address];
      return answers[method];
    },
  };
  const info = { uuid: crypto.randomUUID(), name: "Another Wallet", icon: "", rdns: "test.nodebeat.another" };
  const announce = () =>
    dispatchEvent(new CustomEvent("eip6963:announceProvider", { detail: Object.freeze({ info, provider }) }));
  addEventListener("eip6963:requestProvider", announce);
  announce();
}
