import { installWallet } from "../../support/pages/test-wallet.ts";
import { expect, test } from "../fixtures.ts";
import { advanceClockUntil } from "../pass-until.ts";
import { connect, dialog, walletCard as card } from "../wallet-steps.ts";

// The browser itself logs failed requests.
test.use({ expectedConsole: [/net::ERR_FAILED|status of 5\d\d/] });

// specification: 3.26, 4.23, 4.26
test("the page follows the wallet to each known network, and restores the connection on the next visit", async ({
  page,
  context,
  login,
}) => {
  const wallet = await installWallet(context);
  await login();
  await page.goto("/profile");
  const button = card(page).getByRole("button", { name: /Connect wallet|Connecting…/ });
  await expect(button).toHaveText("Connect wallet");
  wallet.answers["eth_requestAccounts"] = "hang";
  await connect(page);
  await expect(button).toHaveText("Connecting…");
  await page.reload();
  delete wallet.answers["eth_requestAccounts"];
  await connect(page);
  await dialog(page).getByRole("button", { name: "Not now" }).click();
  for (const [id, name] of [
    [1, "Ethereum"],
    [11_155_111, "Sepolia"],
    [3338, "Peaq"],
  ] as const) {
    await wallet.moveTo(id);
    await expect(card(page)).toContainText(`Network${name}`);
  }
  const readStore = () => page.evaluate(() => JSON.parse(localStorage.getItem("wagmi.store") ?? "{}") as object);
  await expect.poll(readStore).toMatchObject({
    state: {
      chainId: 3338,
      current: expect.any(String),
      connections: { value: [[expect.any(String), { chainId: 3338 }]] },
    },
  });
  await page.reload();
  await expect(card(page)).toContainText("NetworkPeaq");
});

// specification: 8.8
test("the profile shows an error if it cannot check whether the wallet can be changed", async ({ page, login }) => {
  const message = "Failed to check wallet change eligibility";
  await page.clock.install();
  await login({ wallet: `0x${crypto.randomUUID().replaceAll("-", "")}00000000` });
  await page.goto("/faqs");
  await page.route("**/read/wallet-change-eligibility*", (route) =>
    route.fulfill({ status: 502, json: { message, error: "NETWORK_ERROR", statusCode: 502 } }),
  );
  await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Profile" }).click();
  await expect(page).toHaveURL("/profile");
  await page.clock.fastForward(31 * 60_000);
  await page.evaluate(() => dispatchEvent(new Event("visibilitychange")));
  // The page retries first.
  await advanceClockUntil(page, 1000, () => card(page).getByText(message).isVisible());
});
