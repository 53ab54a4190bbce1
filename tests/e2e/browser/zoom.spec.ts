import type { Page } from "@playwright/test";
import { expect, test } from "../fixtures.ts";
import { listEntries } from "../log-entries.ts";
import { visit } from "../visit.ts";

test.describe("at 400 % zoom", () => {
  // What remains of a window of 1280 × 1024.
  test.use({ viewport: { width: 320, height: 256 } });
  test.beforeEach(({ context, app }) =>
    context.addCookies([{ name: "mobile_continued", value: "true", url: app.url }]),
  );

  for (const key of ["Tab", "Shift+Tab"]) {
    test(`no panel covers the element that ${key} focuses`, async ({ page, app, login }) => {
      const { userId } = await login();
      await app.seed.post(userId, listEntries(11));
      await visit(page, "/dashboard");
      for (const name of ["Open the menu", "Dates: All"]) {
        await page.getByRole("button", { name }).press("Enter");
        await expect(page.locator("[popover=auto]:popover-open")).toBeVisible();
        const covered = [];
        for (let presses = 0; presses < 15; presses += 1) {
          await page.keyboard.press(key);
          covered.push(await findCovered(page));
        }
        expect(covered.filter(Boolean), name).toEqual([]);
        await expect(page.locator("[popover=auto]:popover-open")).toHaveCount(0);
      }
    });
  }

  test.describe("without JavaScript", () => {
    test.use({ javaScriptEnabled: false });

    test("the focus stays in the open menu, and returns to its button on Escape", async ({ page, login }) => {
      await login({ accepted: ["tos", "pp"] });
      await visit(page, "/dashboard");
      const menu = page.getByRole("button", { name: "Open the menu" });
      await menu.press("Enter");
      for (let presses = 0; presses < 15; presses += 1) {
        await page.keyboard.press("Tab");
        expect(await findCovered(page)).toBeNull();
      }
      await page.keyboard.press("Escape");
      await expect(menu).toBeFocused();
    });
  });

  test("the focused element of a dialog is visible within it", async ({ page, login }) => {
    await login();
    await visit(page, "/dashboard");
    const dialog = page.getByRole("dialog");
    const open: Record<string, () => Promise<unknown>> = {
      "Machine ID Requirements": () => page.getByRole("link", { name: "Create Smart Account" }).press("Enter"),
      Commands: () => page.keyboard.press("Control+k"),
      "Keyboard shortcuts": () => page.keyboard.press("?"),
      "Are you sure you want to log out?": async () => {
        await page.getByRole("button", { name: "Open the menu" }).press("Enter");
        await page.getByRole("link", { name: "Log out" }).press("Enter");
      },
    };
    for (const [name, press] of Object.entries(open)) {
      await press();
      await expect(dialog.and(page.getByRole("dialog", { name }))).toBeVisible();
      expect(await isFocusInDialog(page), name).toBe(true);
      await page.keyboard.press("Escape");
      await expect(dialog).toHaveCount(0);
      // A dialog that is hidden but not yet removed would affect the one that opens next.
      const onDemand = page.getByRole("dialog", { name: /^(?:Commands|Keyboard shortcuts)$/, includeHidden: true });
      await expect(onDemand).toHaveCount(0);
    }
    await expect(page.getByRole("button", { name: "Open the menu" })).toBeFocused();
  });

  test("administration's page about a member and one with a wide table do not scroll sideways", async ({
    page,
    app,
    login,
  }) => {
    const { userId } = await login();
    await app.seed.administrator(userId);
    await app.seed.post(userId, [{ category: "Others", points: 5, comment: "Neighbourhood" }]);
    for (const path of [`/admin/members/${userId}`, "/admin/administrators", `/admin/members/${userId}/points`]) {
      await page.goto(path);
      await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
      expect(await page.evaluate(() => document.documentElement.scrollWidth), path).toBe(320);
    }
    // Columns of a table that scrolls have room for whole words.
    const words = await page.getByRole("cell", { name: "Neighbourhood" }).boundingBox();
    expect(words?.width).toBeGreaterThanOrEqual(160);
  });
});

test("a dialog stays visible when zooming in, and the small-screen notice works after it closes", async ({
  page,
  login,
}) => {
  await login();
  await visit(page, "/dashboard");
  await page.getByRole("link", { name: "Log out" }).first().click();
  const question = page.getByRole("dialog", { name: "Are you sure you want to log out?" });
  await expect(question).toBeVisible();
  await page.setViewportSize({ width: 320, height: 256 });
  await expect(question).toBeVisible();
  await page.keyboard.press("Escape");
  const way = page.getByRole("button", { name: "Continue anyway" });
  await expect(way).toBeVisible();

  // A key opens a visible dialog over the card, too.
  await page.keyboard.press("?");
  await expect(page.getByRole("dialog", { name: "Keyboard shortcuts" })).toBeVisible();
  await page.keyboard.press("Escape");
  await way.click();
  await expect(page.getByRole("main")).toBeFocused();
});

/** Returns the focused element if a panel covers its middle. */
const findCovered = (page: Page) =>
  page.evaluate(() => {
    const element = document.activeElement;
    if (!element || element === document.body) return null;
    const { left, top, width, height } = element.getBoundingClientRect();
    const there = document.elementFromPoint(left + width / 2, top + height / 2);
    const panel = there?.closest("[popover]");
    return panel && !panel.contains(element) ? `${element.tagName} ${element.textContent?.slice(0, 30)}` : null;
  });

/**
 * Returns whether the focused element in a dialog is in its visible part, or is the dialog itself, scrolled to its top.
 */
const isFocusInDialog = (page: Page) =>
  page.evaluate(() => {
    const element = document.activeElement;
    const dialog = element?.closest("dialog");
    if (!element || !dialog) return false;
    if (element === dialog) return dialog.scrollTop === 0;
    const [inner, outer] = [element.getBoundingClientRect(), dialog.getBoundingClientRect()];
    return inner.top >= outer.top && inner.bottom <= outer.bottom;
  });
