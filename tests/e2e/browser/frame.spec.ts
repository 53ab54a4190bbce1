import { expect, test } from "../fixtures.ts";
import { header, short } from "../wallet-steps.ts";

const WALLET = "0x7aF3c1e2a8b4d6f091c2e3a4b5c6d7e8f9a091bE";

// specification: 2.29, 2.31, 2.34, 2.38, 9.10, 9.12
test("the header is 60 px high and copies the wallet's address; Cmd+B collapses the sidebar", async ({
  page,
  app,
  context,
  login,
}) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"], { origin: app.url });
  // A new one, because a wallet belongs to one account.
  const wallet = WALLET.slice(0, -32) + crypto.randomUUID().replaceAll("-", "");
  await login({ wallet });
  await page.goto("/dashboard");
  for (const width of [1440, 1024, 820]) {
    await page.setViewportSize({ width, height: 900 });
    expect((await header(page).boundingBox())?.height).toBe(60);
  }
  await expect(header(page)).toContainText(short(wallet));
  await header(page).getByRole("button", { name: "Copy wallet address" }).click();
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(wallet);

  const sidebar = page.getByRole("complementary", { name: "Sidebar" });
  const said = [sidebar.getByText(/^© \d{4} Nodebeat/), sidebar.getByText("Wallet", { exact: true })];
  for (const words of said) await expect(words).toBeVisible();
  await page.keyboard.press("Meta+b");
  await expect.poll(async () => (await sidebar.boundingBox())?.width).toBe(64);
  for (const words of said) await expect(words).toBeHidden();
  await page.keyboard.press("Meta+b");
  for (const words of said) await expect(words).toBeVisible();
});

// specification: 2.26, 2.27, 3.22, 4.12, 6.5
test("before onboarding, links to member pages are grey and disabled; the current page is highlighted", async ({
  page,
  login,
}) => {
  await login({ onboarded: false });
  await page.goto("/faqs");
  await expect.poll(() => page.evaluate(() => localStorage.getItem("isWhitelisted"))).toBe("false");
  const links = page.getByRole("navigation", { name: "Main" }).getByRole("link");
  const looks = await links.evaluateAll((rows) =>
    rows.map((row) => {
      const { backgroundColor, color, cursor } = getComputedStyle(row);
      return { backgroundColor, color, cursor };
    }),
  );
  const [disabled, current, other] = [looks.slice(0, 5), looks[5], looks[6]];
  expect(looks).toHaveLength(7);
  for (const look of disabled) expect(look).toEqual({ ...look, cursor: "not-allowed", color: disabled[0]?.color });
  expect(disabled[0]?.color).not.toBe(other?.color);
  expect(current?.backgroundColor).not.toBe(other?.backgroundColor);
  // Also disabled for a forced click.
  await links.first().click({ force: true });
  await expect(page).toHaveURL("/faqs");
});

// specification: 2.52, 5.8
test("the privacy policy's Continue button is enabled only while its box is checked", async ({ page, login }) => {
  await login({ accepted: [] });
  await page.goto("/faqs");
  const policy = page.getByRole("dialog", { name: "Updated Privacy Policy" });
  const proceed = policy.getByRole("button", { name: "Continue" });
  const box = policy.getByRole("checkbox", { name: "I accept the updated Privacy Policy" });
  await expect(proceed).toBeDisabled();
  await box.check();
  await expect(proceed).toBeEnabled();
  await box.uncheck();
  await expect(proceed).toBeDisabled();
});
