import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { AxeBuilder } from "@axe-core/playwright";
import { expect, type Page } from "@playwright/test";

const WCAG_22_AA = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
const THEMES = ["light", "dark"];

const RUNNER = createRequire(import.meta.resolve("@axe-core/playwright"));
/** The same axe in half the size: every document has to read it. */
const AXE = readFileSync(RUNNER.resolve("axe-core/axe.min.js"), "utf8");

/** What the colours of a theme decide. */
const ABOUT_COLOURS = ["color-contrast", "link-in-text-block"];

/** axe finds nothing on the page as it is, nor in the other theme's colours; the page's own theme stays. */
export async function expectNoFindings(page: Page) {
  const own = (await page.locator("html").getAttribute("data-theme")) ?? "light";
  for (const theme of [...THEMES.filter((each) => each !== own), own]) {
    await showTheme(page, theme);
    // A document that has axe already is not sent half a megabyte of it again, but something that does nothing.
    const axeSource = (await page.evaluate(() => "axe" in window)) ? "0" : AXE;
    // Only what is wrong is listed: finding a selector for each element that is well would take most of the time.
    const axe = new AxeBuilder({ page, axeSource }).options({ resultTypes: ["violations"] }).setLegacyMode();
    const { violations } = await (theme === own ? axe.withTags(WCAG_22_AA) : axe.withRules(ABOUT_COLOURS)).analyze();
    const found = violations.map(({ id, nodes }) => ({ id, where: nodes.map(({ target }) => target.join(" ")) }));
    expect(found, `${page.url()} in the ${theme} theme`).toEqual([]);
  }
}

/** Shows a theme, with its colours at the end of their way. */
const showTheme = (page: Page, theme: string) =>
  page.evaluate((name) => {
    document.documentElement.dataset.theme = name;
    const passing = document
      .getAnimations()
      .filter(({ effect }) => effect?.getComputedTiming().iterations !== Infinity);
    for (const animation of passing) animation.finish();
  }, theme);
