import type { Page } from "@playwright/test";
import { hasAnvil } from "../../support/chain/anvil.ts";
import { startChainApp } from "../../support/chain/chain-app.ts";
import { installWallet } from "../../support/pages/test-wallet.ts";
import { expect, test as base } from "../fixtures.ts";
import { header, press, toast } from "../wallet-steps.ts";

let network: Awaited<ReturnType<typeof startChainApp>>;
/** Undefined before the first test, when Playwright reads it, too. */
let baseURL: string | undefined;

/** With the server that uses a chain. */
const test = base.extend<object>({
  // oxlint-disable-next-line no-empty-pattern -- Playwright reads what a fixture needs from the pattern
  baseURL: ({}, use) => use(baseURL),
});

test.skip(!hasAnvil, "Its chain is here for Linux on x64 alone.");
// The browser logs failed requests while the server is down.
test.use({ expectedConsole: [/net::ERR_|status of 5\d\d/] });
test.beforeAll(async () => {
  network = await startChainApp();
  baseURL = network.app.url;
});
test.afterAll(() => network.app.close());

const card = (page: Page) => page.getByRole("region", { name: "Smart Account and Machine ID" });

/** How long to wait for a toast, which appears only once: as long as a chain and a poll may take on a busy machine. */
const SLOWLY = { timeout: 60_000 };

test("creates one account and one identity, sent once each, even if the server dies and the chain is down", async ({
  page,
  context,
}) => {
  const { app, blocks, proxy, restart } = network;
  const wallet = await installWallet(context);
  const [owner] = wallet.accounts;
  const sent = await network.countSent();
  const { cookie } = await app.seed.member({ heartbeats: 100, wallet: owner.address });
  await context.addCookies([{ ...cookie, url: app.url }]);
  await page.goto("/dashboard");
  await header(page).getByRole("link", { name: "Create Smart Account" }).click();
  for (const step of ["Connect wallet", "Test Wallet"]) await press(page, step);

  // The signature is stored, and the member learns that the chain does not answer, even from the next process.
  proxy.cut();
  await press(page, "Create Smart Account");
  await expect(toast(page, "Smart Account creation queued")).toBeVisible();
  const note = card(page).getByText("The network has not accepted this yet. Nothing is lost: we keep trying.");
  await page.goto("/profile");
  await expect(async () => {
    await page.reload();
    expect(await note.isVisible()).toBe(true);
  }).toPass(SLOWLY);
  await restart();
  await page.reload();
  await expect(note).toBeVisible();
  await expect(header(page).getByRole("button", { name: "Smart Account Creation Queued" })).toBeDisabled();
  proxy.mend();
  await expect(toast(page, "Smart Account created! You can now create a Machine ID.")).toBeVisible(SLOWLY);
  await expect(note).toHaveCount(0);
  expect((await network.countSent()) - sent).toBe(1);

  blocks.pause();
  await card(page).getByRole("button", { name: "Create Machine ID" }).click();
  await expect(toast(page, "Machine ID creation initiated")).toBeVisible();
  await restart();
  await page.reload();
  await expect(card(page)).toContainText("Machine ID creation in progress...");
  blocks.goOn();
  await expect(toast(page, "Machine ID has been created successfully!")).toBeVisible(SLOWLY);

  const { accounts, identities } = await network.ask(owner.address);
  expect(accounts).toHaveLength(1);
  expect(identities[0]).toMatch(/^0x[0-9a-f]{100,}$/);
  expect((await network.countSent()) - sent).toBe(2);
  await expect(card(page)).toContainText(`did:peaq:${accounts[0]}`);
  await expect(card(page)).not.toContainText("Embedded ledger");
  const links = card(page).getByRole("link", { name: /in the explorer/ });
  await expect(links).toHaveCount(2);
  await expect(links.first()).toHaveAttribute("href", /\/tx\/0x[0-9a-f]{64}$/);
});
