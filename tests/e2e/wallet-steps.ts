import type { Page } from "@playwright/test";

/* Where members meet their wallet, in all journeys. */

export const header = (page: Page) => page.getByRole("banner");
export const dialog = (page: Page) => page.getByRole("dialog");
export const walletCard = (page: Page) => page.getByRole("region", { name: "Wallet", exact: true });
export const toast = (page: Page, text: string) =>
  page.getByRole("region", { name: /notifications/i }).getByText(text, { exact: true });
export const short = (address: string) => `${address.slice(0, 6)}…${address.slice(-4)}`;

/** Presses a button of the open dialog. */
export const press = (page: Page, name: string) => dialog(page).getByRole("button", { name, exact: true }).click();

/** Connects a wallet from its card on the profile. */
export async function connect(page: Page, wallet = "Test Wallet") {
  await walletCard(page).getByRole("button", { name: "Connect wallet" }).click();
  await dialog(page).getByRole("button", { name: wallet }).click();
}
