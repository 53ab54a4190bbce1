import type { Page } from "@playwright/test";
import type { SeededMember } from "../../support/app-messages.ts";
import type { RunningApp } from "../../support/servers/start-app.ts";
import { expect, test } from "../fixtures.ts";
import { visit } from "../visit.ts";

/* Checks what axe cannot see of WCAG 2.2 AA: where the focus is, and how a page adapts to its reader's own settings. */

const PAGES = ["/dashboard", "/agentinsights", "/rewards", "/referrals", "/profile", "/faqs"];

type Fixtures = { app: RunningApp; login: () => Promise<SeededMember> };

const hoursFromNow = (hours: number) => new Date(Date.now() + hours * 60 * 60 * 1000).toISOString();

/** Creates a member with something on every page. */
async function fill({ app, login }: Pick<Fixtures, "app" | "login">) {
  const { userId } = await login();
  await app.seed.post(userId, [{ category: "Rewards", points: 250, comment: "Follow us on X" }]);
  await app.seed.friend(userId, { heartbeats: 100, wallet: true });
  await app.seed.beat(userId, [hoursFromNow(-1), hoursFromNow(1)]);
  await app.seed.jobs(userId, [{ daysAgo: 1, kind: "post", title: "A post" }]);
}

/** Returns where the focus is, and whether it is visible there. */
const lookAtFocus = (page: Page) =>
  page.evaluate(() => {
    const element = document.activeElement;
    if (!element || element === document.body) return null;
    const { bottom, height, top } = element.getBoundingClientRect();
    const header = document.querySelector("header");
    const isInMain = element.closest("main") !== null;
    const cover = isInMain && header ? header.getBoundingClientRect().bottom : 0;
    const { outlineStyle, outlineWidth } = getComputedStyle(element);
    return {
      what: `${element.tagName} ${element.textContent?.trim().slice(0, 30) || element.getAttribute("aria-label")}`,
      // Not fully hidden: part of it is below the header and above the end of the window.
      isInSight: height === 0 || (bottom > cover + 1 && top < innerHeight - 1),
      isMarked: outlineStyle !== "none" && Number.parseFloat(outlineWidth) >= 2,
    };
  });

test("the focused element is always visible, with Tab and with Shift+Tab", async ({ page, app, login }) => {
  await fill({ app, login });
  await page.setViewportSize({ width: 1280, height: 500 });
  for (const path of ["/dashboard", "/referrals", "/profile"]) {
    await visit(page, path);
    const bad = [];
    let steps = 0;
    for (const key of ["Tab", "Shift+Tab"]) {
      for (let presses = 0; presses < 90; presses += 1) {
        await page.keyboard.press(key);
        const focus = await lookAtFocus(page);
        if (!focus) break;
        steps += 1;
        if (!focus.isInSight || !focus.isMarked) bad.push({ key, ...focus });
      }
    }
    expect(bad, path).toEqual([]);
    expect(steps, path).toBeGreaterThan(20);
  }
});

test("a page's table of contents can be reached in a window that is lower than it", async ({ page, login }) => {
  await login();
  await page.setViewportSize({ width: 1280, height: 320 });
  for (const [path, name] of [
    ["/terms", "Contents"],
    ["/profile", "On this page"],
  ] as const) {
    await visit(page, path);
    const last = page.getByRole("navigation", { name }).getByRole("link").last();
    await last.focus();
    await expect(last).toBeInViewport({ ratio: 0.9 });
  }
});

test.describe("with custom text spacing", () => {
  // Needed for the test only: pages allow no styles but their own.
  test.use({ bypassCSP: true });

  test("no text is cut off, and no page scrolls sideways", async ({ page, app, login }) => {
    await fill({ app, login });
    for (const path of [...PAGES, "/auth/logout"]) {
      await visit(page, path);
      await page.addStyleTag({
        content: `* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important; }
          p { margin-bottom: 2em !important; }`,
      });
      const found = await page.evaluate(() => ({
        scrollsSideways: document.documentElement.scrollWidth > innerWidth,
        cut: [...document.querySelectorAll<HTMLElement>("main button, main a, main th, main h2, main dt, nav a")]
          .filter((element) => element.checkVisibility() && getComputedStyle(element).overflowX !== "visible")
          .filter(({ clientWidth, scrollWidth }) => scrollWidth > clientWidth + 1)
          .map(({ textContent }) => textContent),
      }));
      expect(found, path).toEqual({ scrollsSideways: false, cut: [] });
    }
  });
});

test.describe("in forced colours", () => {
  test.use({ contextOptions: { forcedColors: "active" } });

  test("pages still show what is current, what can be pressed and what is in front", async ({ page, app, login }) => {
    await fill({ app, login });
    for (const path of PAGES) {
      await visit(page, path);
      await expect(page.locator("nav[aria-label=Main] [aria-current=page]")).toHaveCSS("outline-style", "solid");
    }
    await visit(page, "/referrals");
    await expect(page.getByRole("button", { name: /^Claim/ })).toHaveCSS("border-top-style", "solid");
    await expect(page.getByRole("link", { name: "10", exact: true })).toHaveCSS("outline-style", "solid");
    await visit(page, "/dashboard?page=9");
    const notice = page.getByRole("status").filter({ hasText: "The points log ends at page 1." });
    await expect(notice).toHaveCSS("border-top-width", "1px");
    await visit(page, "/dashboard");
    await page.getByRole("button", { name: "Dates" }).click();
    await expect(page.getByRole("group", { name: "Dates" })).toHaveCSS("border-top-width", "1px");

    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    await page.route("**/profile.data*", async (route) => {
      await released;
      await route.continue();
    });
    await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Profile" }).click();
    const line = page.getByRole("status").filter({ hasText: "Loading the page" }).locator("[aria-hidden] > *");
    const ink = await page.evaluate(() => getComputedStyle(document.body).color);
    await expect(line).toHaveCSS("background-color", ink);
    release();
    await expect(page).toHaveURL("/profile");
  });
});

test.describe("in forced colours where two may be equal", () => {
  test.use({ contextOptions: { forcedColors: "active" } });

  test("the bars of days and of heartbeats differ by shape, and heartbeats stand out most", async ({
    page,
    app,
    login,
  }) => {
    await fill({ app, login });
    await visit(page, "/status");
    const looks = await readMarks(page, ["Up", "Slow or failing", "Down for a while", "No data"]);
    expect(looks.map(({ pieces }) => pieces)).toEqual([1, 2, 3, 1]);
    await visit(page, "/agentinsights");
    const [beat, missed] = await readMarks(page, ["Heartbeat", "Missed"]);
    expect(beat?.stands).toBe(true);
    expect(missed?.stands).toBe(false);
    const ink = await page.evaluate(() => getComputedStyle(document.body).color);
    expect(beat?.fill).toBe(ink);
    expect(missed?.fill).not.toBe(ink);
  });
});

/** Returns the mark of each legend entry: how many pieces it has, its colour, and whether it is on the baseline. */
const readMarks = (page: Page, words: string[]) =>
  page.evaluate(
    (names) =>
      names.map((name) => {
        const item = [...document.querySelectorAll("main ul[aria-hidden] > li")].find(
          ({ textContent }) => textContent === name,
        );
        const mark = item?.querySelector<SVGGraphicsElement>("path, rect");
        const box = mark?.getBBox();
        return {
          pieces: mark?.getAttribute("d")?.match(/M/g)?.length ?? 1,
          fill: mark && getComputedStyle(mark).fill,
          stands: Math.round((box?.y ?? 0) + (box?.height ?? 0)) === 14,
        };
      }),
    words,
  );

for (const theme of ["light", "dark"]) {
  test(`with more contrast all text has the same colour in the ${theme} theme`, async ({
    page,
    app,
    context,
    login,
  }) => {
    await login({ heartbeats: 3 });
    await context.addCookies([{ name: "theme", value: theme, url: app.url }]);
    await page.emulateMedia({ contrast: "more" });
    await visit(page, "/dashboard");
    const words = await page.getByText("from friends you invited").evaluate((each) => getComputedStyle(each).color);
    await expect(page.getByRole("heading", { name: "Points log" })).toHaveCSS("color", words);
  });
}

test("printed pages have nothing over the text, keep their colours, and show tables in full", async ({
  page,
  app,
  context,
  login,
}) => {
  const { userId } = await login({ heartbeats: 3 });
  await app.seed.friend(userId, { heartbeats: 100, wallet: true });
  await app.seed.post(userId, [{ category: "Rewards", points: 250, comment: "Follow us on X" }]);
  await context.addCookies([{ name: "note_toast_1", value: "account-kept", url: app.url }]);
  for (const path of ["/dashboard", "/referrals", "/terms"]) {
    await visit(page, path);
    await page.emulateMedia({ media: "print" });
    // Chromium prints fixed elements on every sheet.
    const fixed = await page.evaluate(() =>
      Array.from(document.querySelectorAll<HTMLElement>("body *"))
        .filter((each) => getComputedStyle(each).position === "fixed" && each.checkVisibility())
        .map((each) => each.outerHTML.slice(0, 100)),
    );
    expect(fixed, path).toEqual([]);
    await expect(page.getByRole("button", { name: /Copy Link|Claim/ })).toHaveCount(0);
    await page.emulateMedia({ media: "screen" });
  }
  await visit(page, "/dashboard?range=90");
  await page.getByText("Show as a table: Points, last 90 days").click();
  await page.emulateMedia({ media: "print" });
  await expect(page.locator(".swatch").first()).toHaveCSS("print-color-adjust", "exact");
  // Content that can be scrolled to on a screen must be printed.
  const tables = page.getByRole("main").getByRole("region", { name: /table$/ });
  await expect(tables).toHaveCount(2);
  for (const table of await tables.all()) await expect(table).toHaveCSS("overflow", "visible");
  expect((await tables.first().boundingBox())?.height).toBeGreaterThan(90 * 20);
});

test("the animation beside sign-in ends within five seconds, and reduced motion turns off all animations", async ({
  page,
  app,
  login,
}) => {
  await page.emulateMedia({ reducedMotion: "no-preference" });
  await visit(page, "/auth");
  const ends = await page.evaluate(() =>
    document.getAnimations().map(({ effect }) => Number(effect?.getComputedTiming().endTime)),
  );
  expect(ends.length).toBeGreaterThan(0);
  expect(Math.max(...ends)).toBeLessThanOrEqual(5000);
  await page.emulateMedia({ reducedMotion: "reduce" });
  await fill({ app, login });
  for (const path of [...PAGES, "/auth/logout"]) {
    await visit(page, path);
    const moving = await page.evaluate(
      () =>
        document.getAnimations().filter(({ effect }) => Number(effect?.getComputedTiming().activeDuration ?? 0) > 10)
          .length,
    );
    expect(moving, path).toBe(0);
  }
});

test("announces the title of the new page after navigation", async ({ page, login }) => {
  await login();
  await visit(page, "/dashboard");
  await page.getByRole("link", { name: "Referrals", exact: true }).first().click();
  await expect(page).toHaveTitle(/Your Referrals/);
  await expect(page.getByRole("status").filter({ hasText: await page.title() })).toHaveCount(1);
});

test("the focus moves to the message when a button disappears with the key that it revoked", async ({
  page,
  login,
}) => {
  await login();
  await visit(page, "/profile");
  await page.getByLabel("Name of the machine").fill("Attic");
  await page.getByRole("button", { name: "Create a key" }).click();
  await page.getByText("Revoke the key of Attic").press("Enter");
  await page.getByRole("button", { name: "Revoke key of Attic" }).press("Enter");
  await expect(page.locator(":focus")).toHaveText("The key of that machine is revoked.");
});

test("shows a message if the browser refuses to copy", async ({ page, login }) => {
  await login();
  await page.addInitScript(() => {
    navigator.clipboard.writeText = () => Promise.reject(new DOMException("Not allowed", "NotAllowedError"));
  });
  await visit(page, "/referrals");
  await page.getByRole("main").getByRole("button", { name: "Copy" }).first().click();
  await expect(page.getByText("Your browser did not allow copying.")).toBeVisible();
});
