import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { AxeBuilder } from "@axe-core/playwright";
import { expect, type Page } from "@playwright/test";

const WCAG_22_AA = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
const THEMES = ["light", "dark"];

const RUNNER = createRequire(import.meta.resolve("@axe-core/playwright"));
/** The minified axe, half the size, because every document has to load it. */
const AXE = readFileSync(RUNNER.resolve("axe-core/axe.min.js"), "utf8");

/** The rules whose result depends on a theme's colours. */
const ABOUT_COLOURS = ["color-contrast", "link-in-text-block"];

/**
 * Expects that axe finds nothing on the page as it is, nor about the other theme's colours. Keeps the page's own theme.
 */
export async function expectNoFindings(page: Page) {
  const own = (await page.locator("html").getAttribute("data-theme")) ?? "light";
  for (const theme of [...THEMES.filter((each) => each !== own), own]) {
    await showTheme(page, theme);
    // If the document has axe already, sends a script that does nothing instead of half a megabyte.
    const axeSource = (await page.evaluate(() => "axe" in window)) ? "0" : AXE;
    // Lists only violations: finding a selector for each element that passes would take most of the time.
    const axe = new AxeBuilder({ page, axeSource }).options({ resultTypes: ["violations"] }).setLegacyMode();
    const { violations } = await (theme === own ? axe.withTags(WCAG_22_AA) : axe.withRules(ABOUT_COLOURS)).analyze();
    const found = violations.map(({ id, nodes }) => ({ id, where: nodes.map(({ target }) => target.join(" ")) }));
    expect(found, `${page.url()} in the ${theme} theme`).toEqual([]);
  }
}

/** Shows a theme, and finishes its colour transitions. */
const showTheme = (page: Page, theme: string) =>
  page.evaluate((name) => {
    document.documentElement.dataset.theme = name;
    const passing = document
      .getAnimations()
      .filter(({ effect }) => effect?.getComputedTiming().iterations !== Infinity);
    for (const animation of passing) animation.finish();
  }, theme);
