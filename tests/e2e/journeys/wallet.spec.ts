import { expect, test } from "../fixtures.ts";

test("a member without a wallet can connect one, and without JavaScript sees what signing needs", async ({
  page,
  login,
  javaScriptEnabled,
}) => {
  await login();
  await page.goto("/profile#wallet");
  const wallet = page.getByRole("region", { name: "Wallet", exact: true });
  await expect(wallet).toContainText("Not linked");
  await expect(wallet.getByText("You can link a wallet once and change it once.")).toBeVisible();
  const needs = wallet.getByText("Connecting and signing need JavaScript and a wallet");
  const connect = page.getByRole("button", { name: "Connect wallet" });
  await expect(needs).toBeVisible({ visible: !javaScriptEnabled });
  await expect(connect.filter({ visible: true })).toHaveCount(javaScriptEnabled ? 2 : 0);
});
