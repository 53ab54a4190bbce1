import type { Locator, Page } from "@playwright/test";
import { installWallet } from "../../support/pages/test-wallet.ts";
import { expect, test } from "../fixtures.ts";
import { listEntries } from "../log-entries.ts";
import { hydrated } from "../hydration.ts";
import { visit } from "../visit.ts";
import { dialog, walletCard } from "../wallet-steps.ts";

/** Opens a page, and presses Enter on something in it. */
async function pressOn(page: Page, path: string, find: (main: Locator) => Locator) {
  await visit(page, path);
  await hydrated(page);
  await find(page.getByRole("main")).press("Enter");
}

const title = (page: Page, name: string) =>
  page.getByRole("main").getByRole("heading", { level: 2, name, exact: true });

test("clearing the filters of the points log moves the focus to its title", async ({ page, login }) => {
  await login();
  for (const filters of ["?category=Rewards", "?startDate=20.11.2026"]) {
    await pressOn(page, `/dashboard${filters}`, (main) => main.getByRole("link", { name: "Clear filters" }).last());
    await expect(page).toHaveURL("/dashboard");
    await expect(title(page, "Points log"), filters).toBeFocused();
  }
});

test("closing an entry from another page of the log moves the focus to the log's title", async ({
  page,
  app,
  login,
}) => {
  const { userId } = await login();
  await app.seed.post(userId, listEntries(11));
  await visit(page, "/dashboard");
  await page.getByRole("link", { name: "Entry 0", exact: true }).click();
  await expect(page).toHaveURL(/entry=/);
  const { search } = new URL(page.url());
  await pressOn(page, `/dashboard${search}&page=2`, (main) => main.getByRole("link", { name: "Close" }));
  await expect(title(page, "Points log")).toBeFocused();
});

test("hiding the list of first steps shows a message, and moves the focus to it", async ({ page, login }) => {
  await login();
  await pressOn(page, "/dashboard", (main) => main.getByRole("button", { name: "Hide" }));
  const words = page.getByRole("status").filter({ hasText: "The Get started list is hidden." });
  await expect(words).toBeFocused();
  await page.reload();
  await expect(page.getByRole("region", { name: "Your points at a glance" })).toBeVisible();
  await expect(words).toHaveCount(0);
});

test("a link to another page moves the focus to it, or to the card that the link names", async ({
  page,
  app,
  login,
}) => {
  const { userId } = await login();
  // More friends than one page of their list shows.
  for (let friend = 0; friend < 11; friend++) await app.seed.friend(userId, {});
  await pressOn(page, "/dashboard", (main) => main.getByRole("link", { name: "More ways to share" }));
  await expect(page).toHaveURL("/referrals#share");
  await expect(page.getByRole("link", { name: "Next" })).toBeVisible();
  await expect(title(page, "Refer a Friend")).toBeFocused();
  // Not to a card that merely happens to be there.
  await page.goBack();
  await expect(page).toHaveURL("/dashboard");
  await expect(page.getByRole("main")).toBeFocused();
  await pressOn(page, "/dashboard", (main) => main.getByRole("link", { name: "Link a wallet" }));
  await expect(page).toHaveURL("/profile#wallet");
  await expect(title(page, "Wallet")).toBeFocused();
  await pressOn(page, "/profile", (main) => main.getByRole("link", { name: "Change email" }));
  await expect(page).toHaveURL("/profile/email");
  await expect(page.getByRole("main")).toBeFocused();
  await page.getByRole("main").getByRole("textbox").first().focus();
  await page.goBack();
  await expect(page).toHaveURL("/profile");
  await expect(page.getByRole("main")).toBeFocused();
});

test("the sign-in page's link to sign-up moves the focus into the page; the header's link keeps it", async ({
  page,
}) => {
  await pressOn(page, "/auth", (main) => main.getByRole("link", { name: "Create an account" }));
  await expect(page).toHaveURL("/auth/signup");
  await expect(page.getByRole("main")).toBeFocused();
  await page.goBack();
  await expect(page).toHaveURL("/auth");
  const begin = page.getByRole("banner").getByRole("link", { name: "Get started" });
  await begin.press("Enter");
  await expect(page).toHaveURL("/auth/signup");
  await expect(begin).toBeFocused();
});

test("a sidebar link keeps the focus, and opening a page does not take it", async ({ page, login }) => {
  await login();
  await visit(page, "/dashboard");
  await hydrated(page);
  await expect(page.locator("body")).toBeFocused();
  const rewards = page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Rewards" });
  await rewards.press("Enter");
  await expect(page).toHaveURL("/rewards");
  await expect(rewards).toBeFocused();
});

test("turning campaign emails off moves the focus to the message, and so does undoing it", async ({ page, login }) => {
  await login();
  await pressOn(page, "/rewards?unsubscribe", (main) => main.getByRole("button", { name: "Turn off campaign emails" }));
  const words = (text: string) => page.getByRole("status").filter({ hasText: text });
  await expect(words("Campaign emails are off.")).toBeFocused();
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await expect(words("Campaign emails are on again.")).toBeFocused();
});

test("showing all friends again moves the focus to the list's title", async ({ page, app, login }) => {
  const { userId } = await login();
  await app.seed.friend(userId, {});
  await pressOn(page, "/referrals?status=Success", (main) => main.getByRole("link", { name: "Show all friends" }));
  await expect(page).toHaveURL("/referrals");
  await expect(title(page, "Your friends")).toBeFocused();
});

test("clearing a search moves the focus to the main content", async ({ page, login }) => {
  await login();
  await pressOn(page, "/faqs?q=nothing-of-the-kind", (main) => main.getByRole("link", { name: "Show all questions" }));
  await expect(page).toHaveURL("/faqs");
  await expect(page.getByRole("main")).toBeFocused();
});

test("creating a key moves the focus to its command; revoking it moves the focus to the message", async ({
  page,
  login,
}) => {
  await login();
  await visit(page, "/profile");
  await hydrated(page);
  const machines = page.getByRole("region", { name: "Your machines" });
  const name = machines.getByLabel("Name of the machine");
  const createKey = async (machine: string) => {
    await name.fill(machine);
    await machines.getByRole("button", { name: "Create a key" }).press("Enter");
    const command = page.getByRole("heading", { name: `Your command for ${machine}` });
    await expect(command).toBeFocused();
    return command;
  };
  const revoke = async (machine: string) => {
    await machines.getByText(`Revoke the key of ${machine}`).press("Enter");
    await machines.getByRole("button", { name: `Revoke key of ${machine}` }).press("Enter");
    await expect(machines.getByRole("status").filter({ hasText: "The key of that machine is revoked." })).toBeFocused();
  };
  await createKey("Attic");
  const command = await createKey("Berlin");

  await page.getByRole("navigation", { name: "On this page" }).getByRole("link", { name: "Campaign emails" }).click();
  await page.getByRole("button", { name: "Turn off campaign emails" }).click();
  await expect(page.getByText("Campaign emails are off.")).toBeVisible();
  await expect(command).toBeVisible();

  // The key of another machine: this one's command, which is shown only once, and what is being typed stay.
  await name.fill("Cellar");
  await revoke("Attic");
  await expect(command).toBeVisible();
  await expect(name).toHaveValue("Cellar");
  await revoke("Berlin");
  await expect(command).toHaveCount(0);
});

test("the wallet dialog keeps the focus through its steps, and returns it to the page", async ({
  page,
  context,
  login,
}) => {
  const wallet = await installWallet(context);
  await login();
  await visit(page, "/profile");
  await hydrated(page);
  const connectButton = walletCard(page).getByRole("button", { name: "Connect wallet" });
  wallet.answers["eth_requestAccounts"] = "reject";
  await connectButton.press("Enter");
  await dialog(page).getByRole("button", { name: "Test Wallet" }).press("Enter");
  const declined = dialog(page).getByRole("alert").filter({ hasText: "You declined in Test Wallet" });
  await expect(declined).toBeVisible();
  expect(await page.evaluate(() => document.activeElement?.closest("dialog") !== null)).toBe(true);

  delete wallet.answers["eth_requestAccounts"];
  await dialog(page).getByRole("button", { name: "Try again" }).press("Enter");
  await dialog(page).getByRole("button", { name: "Sign and link" }).press("Enter");
  await expect(dialog(page)).toHaveCount(0);
  await expect(page.getByRole("main")).toBeFocused();

  await walletCard(page).getByRole("button", { name: "Disconnect" }).press("Enter");
  await expect(connectButton).toBeVisible();
  await expect(title(page, "Wallet")).toBeFocused();

  const sidebar = page.getByRole("complementary", { name: "Sidebar" });
  wallet.answers["eth_requestAccounts"] = "reject";
  await sidebar.getByRole("button", { name: "Connect wallet" }).press("Enter");
  await dialog(page).getByRole("button", { name: "Close" }).press("Enter");
  await expect(sidebar.getByRole("button", { name: "Connect wallet" })).toBeFocused();
});
