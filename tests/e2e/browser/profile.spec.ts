import { expect, test } from "../fixtures.ts";
import { visit } from "../visit.ts";

/** Returns an address that can break only between letters. */
const longAddress = () => `${"a".repeat(60)}@${"membersofnodebeatandtheirnews".repeat(2)}.${crypto.randomUUID()}.test`;

test("the profile of a member with a long email fits the window", async ({ page, login }) => {
  const { email } = await login({ email: longAddress() });
  for (const viewport of [
    { width: 1280, height: 720 },
    { width: 1440, height: 900 },
  ]) {
    await page.setViewportSize(viewport);
    await visit(page, "/profile");
    await expect(page.getByRole("main").getByText(`You sign in as ${email}`)).toBeVisible();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(viewport.width);
    await visit(page, "/profile/delete");
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(viewport.width);
  }
});

test("each link in the table of contents scrolls to its section, below the header", async ({ page, login }) => {
  await login();
  await visit(page, "/profile");
  const links = page.getByRole("navigation", { name: "On this page" }).getByRole("link");
  const addresses = await links.evaluateAll((all) => all.map((link) => link.getAttribute("href") ?? ""));
  expect(addresses).toHaveLength(10);
  for (const address of addresses) {
    await page.locator(`a[href="${address}"]`).click();
    await expect(page).toHaveURL(`/profile${address}`);
    const section = page.locator(address);
    await expect(section).toBeInViewport();
    expect((await section.boundingBox())?.y).toBeGreaterThanOrEqual(60);
  }
  // As far below the header as the first card of a page.
  await page.locator('a[href="#wallet"]').click();
  await expect.poll(async () => (await page.locator("#wallet").boundingBox())?.y).toBeLessThanOrEqual(90);
});

test("the password meter never praises a password that the server rejects", async ({ page }) => {
  await page.goto("/auth/signup");
  await page.getByLabel("Email").fill("ada.lovelace@nodebeat.test");
  const password = page.getByLabel("Password", { exact: true });
  const strength = page.getByRole("status").filter({ hasText: /Too|Good|Strong/ });
  for (const [typed, said] of [
    ["correct horse battery", "Strong"],
    ["password1", "Too easy to guess"],
    ["123456789987654321", "Too easy to guess"],
    ["Ada.Lovelace", "Too easy to guess"],
    ["long enough", "Good enough"],
  ] as const) {
    await password.fill(typed);
    await expect(strength).toHaveText(said);
  }
  // The address counts, whichever field is filled in first.
  await page.getByLabel("Email").fill("long enough@nodebeat.test");
  await expect(strength).toHaveText("Too easy to guess");
});
