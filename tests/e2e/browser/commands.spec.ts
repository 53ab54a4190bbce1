import type { Page } from "@playwright/test";
import { expectNoFindings } from "../expect-no-findings.ts";
import { expect, test } from "../fixtures.ts";
import { hydrated } from "../hydration.ts";

const menu = (page: Page) => page.getByRole("dialog", { name: "Commands" });
const field = (page: Page) => page.getByRole("combobox", { name: "Search commands" });
const options = (page: Page) => menu(page).getByRole("option");
const shortcuts = (page: Page) => page.getByRole("dialog", { name: "Keyboard shortcuts" });

/** Waits until a dialog has left the page: it is hidden first, and removed in the next frame. */
const gone = (page: Page, name: "Commands" | "Keyboard shortcuts") =>
  expect(page.getByRole("dialog", { name, includeHidden: true })).toHaveCount(0);

/** Opens the menu as soon as the page is hydrated. A second press of the keys would close it again. */
async function openMenu(page: Page) {
  await hydrated(page);
  await page.keyboard.press("Control+k");
  await expect(menu(page)).toBeVisible();
  await expect(field(page)).toBeFocused();
}

test("Ctrl+K opens a page with the keyboard alone", async ({ page, login }) => {
  await login();
  await page.goto("/dashboard");
  await openMenu(page);
  await expect(options(page).first()).toHaveAttribute("aria-selected", "true");

  await page.keyboard.press("ArrowUp");
  await expect(menu(page).getByRole("option", { name: "Log out" })).toHaveAttribute("aria-selected", "true");
  await page.keyboard.press("ArrowDown");
  await expect(options(page).first()).toHaveAttribute("aria-selected", "true");
  // Typing selects the best match again.
  await page.keyboard.press("ArrowUp");
  await page.keyboard.type("refe");
  await expect(options(page).first()).toHaveText("Referrals");
  await expect(options(page).nth(1)).toHaveText("Copy referral link");
  const active = await field(page).getAttribute("aria-activedescendant");
  await expect(options(page).first()).toHaveAttribute("id", active ?? "");
  // During IME composition, Enter ends a word and chooses nothing.
  await field(page).dispatchEvent("keydown", { key: "Enter", isComposing: true });
  await expect(menu(page)).toBeVisible();
  await page.keyboard.press("Enter");

  await expect(page).toHaveURL("/referrals");
  await expect(menu(page)).toBeHidden();
});

test("with a non-Latin keyboard layout the shortcuts work by key position", async ({ page, login }) => {
  await login();
  await page.goto("/dashboard");
  await page.locator("body").dispatchEvent("keydown", { key: "и", code: "KeyB", ctrlKey: true });
  await expect(page.getByRole("button", { name: "Expand the sidebar" })).toBeVisible();

  const command = { key: "л", code: "KeyK", metaKey: true };
  await page.locator("body").dispatchEvent("keydown", command);
  await expect(menu(page)).toBeVisible();
  await field(page).dispatchEvent("keydown", command);
  await expect(menu(page)).toBeHidden();
});

test("finds the product's terms and every help question, and announces the number of results", async ({
  page,
  login,
}) => {
  await login();
  await page.setViewportSize({ width: 1280, height: 720 });
  await page.goto("/dashboard");
  await openMenu(page);
  await expect(options(page).filter({ hasText: "Log out" })).toBeInViewport({ ratio: 1 });
  for (const [query, label] of [
    ["wallet", "Wallet"],
    ["machine", "Your machines"],
    ["smart", "Smart Account and Machine ID"],
    ["csv", "Download the points log as CSV"],
    ["delete", "Delete your account"],
    ["points for inviting", "When do I get points for inviting a friend?"],
  ] as const) {
    await field(page).fill(query);
    await expect(options(page).filter({ hasText: label }).first()).toBeVisible();
  }
  await expect(menu(page).getByRole("status")).toHaveText("1 result");
  await field(page).fill("e");
  await page.keyboard.press("ArrowUp");
  await expect(options(page).last()).toBeInViewport({ ratio: 1 });
  await field(page).fill("points for inviting");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL("/faqs#referral-reward");
  await expect(page.getByText("When your friend has sent 100 heartbeats")).toBeInViewport();
  await expect(page.locator("summary:focus")).toHaveText("When do I get points for inviting a friend?");
});

test("commands change the theme and sidebar, copy the referral link, and ask before logging out", async ({
  page,
  app,
  context,
  login,
}) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"], { origin: app.url });
  await page.addInitScript(copyByPressesAlone);
  const { personalCode } = await login();
  await page.goto("/profile");
  const run = async (query: string) => {
    await openMenu(page);
    await page.keyboard.type(query);
    await page.keyboard.press("Enter");
    await gone(page, "Commands");
  };

  await run("theme");
  await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
  await run("collapse");
  await expect.poll(async () => (await page.getByRole("complementary").boundingBox())?.width).toBe(64);
  await run("cprf");
  await expect(page.getByText("Referral link copied")).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(
    `${app.url}/auth/signup?referralCode=${personalCode}`,
  );
  await run("shortcuts");
  await expect(shortcuts(page)).toBeVisible();
  await page.keyboard.press("Escape");
  await gone(page, "Keyboard shortcuts");
  await run("sign out");
  await expect(page.getByRole("dialog", { name: "Are you sure you want to log out?" })).toBeVisible();
});

/** Runs in the page. Allows copying only while a key press is being handled, as Safari does. */
function copyByPressesAlone() {
  const { clipboard } = navigator;
  const write = clipboard.writeText.bind(clipboard);
  clipboard.writeText = async (text) => {
    // oxlint-disable-next-line typescript/no-deprecated -- nothing else says which event is being handled
    if (!(window.event instanceof KeyboardEvent)) throw new DOMException("", "NotAllowedError");
    return write(text);
  };
}

test.describe("offline", () => {
  // The browser itself logs failed requests.
  test.use({ expectedConsole: [/net::ERR_INTERNET_DISCONNECTED/] });

  test("commands that lead to another page leave the current page as it is, as links do", async ({
    page,
    context,
    login,
  }) => {
    await login();
    await page.goto("/dashboard");
    await openMenu(page);
    await context.setOffline(true);
    for (const query of ["referrals", "csv"]) {
      if (await menu(page).isHidden()) await openMenu(page);
      await page.keyboard.type(query);
      await page.keyboard.press("Enter");
      await expect(page.getByText("You can open that page once this message goes.")).toBeVisible();
      await expect(page).toHaveURL("/dashboard");
    }
  });
});

test("the button opens the menu by pointer, and gets the focus back when it closes", async ({ page, login }) => {
  await login();
  await page.goto("/dashboard");
  const button = page.getByRole("button", { name: "Commands" });

  await button.click();
  await page.getByRole("option", { name: "Use the dark theme" }).hover();
  await expect(page.getByRole("option", { name: "Use the dark theme" })).toHaveAttribute("aria-selected", "true");
  await page.keyboard.press("Escape");
  await expect(menu(page)).toBeHidden();
  await expect(button).toBeFocused();

  await button.click();
  await field(page).fill("zzz");
  await expect(menu(page).getByText("Nothing matches “zzz”.")).toBeVisible();
  await page.keyboard.press("Control+k");
  await expect(menu(page)).toBeHidden();

  await button.click();
  await options(page).filter({ hasText: "Rewards" }).click();
  await expect(page).toHaveURL("/rewards");
});

test("visitors see only their commands; members who are not onboarded see no pages closed to them", async ({
  page,
  login,
}) => {
  await page.goto("/faqs");
  await openMenu(page);
  await expect(options(page)).toHaveText([
    "Help & FAQs",
    "Sign in",
    "Create an account",
    "Use the dark theme",
    "Collapse the sidebar",
    "Show keyboard shortcuts",
  ]);
  await page.keyboard.press("Escape");

  await login({ onboarded: false });
  await page.goto("/faqs");
  await openMenu(page);
  await expect(options(page).first()).toHaveText("Help & FAQs");
  await expect(options(page).last()).toHaveText("Log out");
});

test("shortcuts open nothing while the visitor types, nor over another dialog", async ({ page, login }) => {
  await login();
  await page.goto("/faqs");
  await openMenu(page);
  await page.keyboard.press("Escape");

  await page.getByLabel("Search the answers").focus();
  await page.keyboard.type("why?");
  await expect(page.getByLabel("Search the answers")).toHaveValue("why?");
  await page.keyboard.press("Control+k");
  await page.getByLabel("Search the answers").blur();
  await page.getByRole("link", { name: "Log out" }).first().click();
  await page.keyboard.press("?");
  await page.keyboard.press("Control+k");
  await expect(page.getByRole("dialog")).toHaveCount(1);
  await expect(page.getByRole("dialog", { name: "Are you sure you want to log out?" })).toBeVisible();

  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await page.keyboard.press("?");
  await expect(shortcuts(page)).toBeVisible();
  await expect(page.getByRole("dialog")).toHaveCount(1);
  await shortcuts(page).getByRole("button", { name: "Close" }).click();
  await expect(shortcuts(page)).toBeHidden();
});

test("the ? shortcut can be turned off for this browser, and on again", async ({ page, login }) => {
  await login();
  await page.goto("/faqs");
  const choice = page.getByRole("checkbox", { name: "Open this list with the ? key" });
  await page.keyboard.press("?");
  await expect(choice).toBeChecked();
  await choice.uncheck();
  await page.keyboard.press("Escape");
  await page.reload();

  await page.keyboard.press("?");
  // The other keys still work: what they open would cover a list that had opened.
  await openMenu(page);
  await expect(shortcuts(page)).toHaveCount(0);
  await page.keyboard.type("shortcuts");
  await page.keyboard.press("Enter");
  await expect(choice).not.toBeChecked();
  await choice.check();
  await page.keyboard.press("Escape");
  await gone(page, "Keyboard shortcuts");
  await page.keyboard.press("?");
  await expect(shortcuts(page)).toBeVisible();
});

test("the command menu and the list of shortcuts pass axe", async ({ page, login }) => {
  await login();
  await page.goto("/dashboard");
  await openMenu(page);
  await expectNoFindings(page);
  await field(page).fill("zzz");
  await expectNoFindings(page);
  await page.keyboard.press("Escape");
  await gone(page, "Commands");
  await page.keyboard.press("?");
  await expect(shortcuts(page)).toBeVisible();
  await expectNoFindings(page);
});
