import { generatePrivateKey, privateKeyToAddress } from "viem/accounts";
import { expect, test } from "../fixtures.ts";

// specification: 2.53
test("shows the requirements for a Machine ID, and what signing needs", async ({ page, login, javaScriptEnabled }) => {
  await login({ heartbeats: 100, wallet: privateKeyToAddress(generatePrivateKey()) });
  await page.goto("/dashboard");
  await page.getByRole("banner").getByRole("link", { name: "Create Smart Account" }).click();
  const shown = javaScriptEnabled
    ? page.getByRole("dialog", { name: "Machine ID Requirements" })
    : page.getByRole("region", { name: "Smart Account and Machine ID" });
  await expect(shown.getByRole("listitem").filter({ hasText: "Wallet linked" })).toContainText("Done");
  await expect(shown.getByRole("listitem").filter({ hasText: "Wallet connected" })).toContainText("To do");
  await expect(shown.getByRole("listitem").filter({ hasText: "Heartbeats" })).toContainText("100/100");
  if (javaScriptEnabled) return expect(shown.getByRole("button", { name: "Connect wallet" })).toBeVisible();
  await expect(page).toHaveURL(/\/profile#identity$/);
  await expect(shown.getByText("Signing needs your wallet, and a wallet needs JavaScript.")).toBeVisible();
});
