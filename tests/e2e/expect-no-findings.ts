import { AxeBuilder } from "@axe-core/playwright";
import { expect, type Page } from "@playwright/test";

const WCAG_22_AA = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
const THEMES = ["light", "dark"];

/** axe finds nothing on the page as it is, in either theme; the page's own is the last, and stays. */
export async function expectNoFindings(page: Page) {
  const own = (await page.locator("html").getAttribute("data-theme")) ?? "light";
  for (const theme of [...THEMES.filter((each) => each !== own), own]) {
    await showTheme(page, theme);
    const { violations } = await new AxeBuilder({ page }).withTags(WCAG_22_AA).analyze();
    const found = violations.map(({ id, nodes }) => ({ id, where: nodes.map(({ target }) => target.join(" ")) }));
    expect(found, `in the ${theme} theme`).toEqual([]);
  }
}

/** Shows a theme, and waits for its colours to have arrived. */
const showTheme = (page: Page, theme: string) =>
  page.evaluate(async (name) => {
    document.documentElement.dataset.theme = name;
    const passing = document
      .getAnimations()
      .filter(({ effect }) => effect?.getComputedTiming().iterations !== Infinity);
    await Promise.allSettled(passing.map(({ finished }) => finished));
  }, theme);
