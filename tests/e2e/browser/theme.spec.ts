import { expect, test } from "../fixtures.ts";

const SURFACES = { light: "#fbfaf7", dark: "#0f1014" };

test("the server renders the theme from the cookie", async ({ app }) => {
  for (const theme of ["light", "dark"] as const) {
    const html = await (await fetch(`${app.url}/auth`, { headers: { Cookie: `theme=${theme}` } })).text();
    expect(html).toContain(`data-theme="${theme}"`);
    expect(html).toContain(`<meta name="color-scheme" content="${theme}"/>`);
    expect(html).toContain(`<meta name="theme-color" content="${SURFACES[theme]}"/>`);
  }
});

test("applies a theme stored only in local storage before the first paint", async ({ page, context }) => {
  await page.addInitScript(() => {
    localStorage.setItem("theme", "dark");
    const painted: (string | undefined)[] = [];
    Object.assign(window, { painted });
    new PerformanceObserver(() => painted.push(document.documentElement.dataset.theme)).observe({ type: "paint" });
    // Nothing is painted before there is a body.
    new MutationObserver((_, observer) => {
      if (!document.body) return;
      painted.push(document.documentElement.dataset.theme);
      observer.disconnect();
    }).observe(document, { childList: true, subtree: true });
  });
  await page.goto("/auth");

  await expect(page.getByRole("button", { name: "Use the light theme" })).toBeVisible();
  const painted = await page.evaluate(() => (window as unknown as { painted: string[] }).painted);
  expect(new Set(painted)).toEqual(new Set(["dark"]));
  await expect(page.locator("html")).toHaveCSS("color-scheme", "dark");
  await expect(page.locator('meta[name="theme-color"]')).toHaveAttribute("content", SURFACES.dark);
  expect((await context.cookies()).find(({ name }) => name === "theme")?.value).toBe("dark");
});

test("changes the page's theme once, and never its meta element for it, which restyles every element", async ({
  page,
}) => {
  await page.addInitScript(() => {
    const changed: (string | null)[] = [];
    Object.assign(window, { changed });
    new MutationObserver((records) => {
      for (const { target, attributeName } of records)
        changed.push(`${(target as Element).getAttribute("name") ?? target.nodeName} ${attributeName}`);
    }).observe(document, { subtree: true, attributeFilter: ["content", "data-theme"] });
  });
  await page.goto("/auth");
  const readChanged = () => page.evaluate(() => (window as unknown as { changed: string[] }).changed);
  expect(await readChanged()).toEqual([]);

  await page.getByRole("button", { name: "Use the dark theme" }).click();
  await expect.poll(readChanged).toEqual(["HTML data-theme", "theme-color content"]);
  await expect(page.locator("html")).toHaveCSS("color-scheme", "dark");
});

// specification: 2.41
test("stores the chosen theme in local storage and a cookie, and updates the other tabs", async ({ page, context }) => {
  await page.goto("/auth");
  const other = await context.newPage();
  await other.goto("/faqs");
  await expect(other.getByRole("button", { name: "Use the dark theme" })).toBeVisible();

  await page.getByRole("button", { name: "Use the dark theme" }).click();

  await expect(other.locator("html")).toHaveAttribute("data-theme", "dark");
  await expect(other.locator('meta[name="theme-color"]')).toHaveAttribute("content", SURFACES.dark);
  expect(await page.evaluate(() => localStorage.getItem("theme"))).toBe("dark");
  expect((await context.cookies()).find(({ name }) => name === "theme")?.value).toBe("dark");
});
