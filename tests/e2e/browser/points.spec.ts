import type { Locator } from "@playwright/test";
import { expectNoFindings } from "../expect-no-findings.ts";
import { expect, test } from "../fixtures.ts";
import { listEntries } from "../log-entries.ts";
import { retryAcrossMidnight } from "../one-day.ts";

// Neither the server's time zone nor a whole number of hours away from it.
test.use({ timezoneId: "Asia/Kolkata" });

const CATEGORIES = ["Connectivity", "Referral", "Rewards"] as const;
const DAY_MS = 24 * 60 * 60 * 1000;

/** Returns the day that a bar shows. */
const dayOf = async (bar: Locator) => (await bar.getAttribute("aria-label"))?.split(":")[0];

test("opening log rows moves neither the scroll position nor the focus, and loads each row once", async ({
  page,
  app,
  login,
}) => {
  const member = await login();
  await app.seed.post(member.userId, listEntries(30));
  await page.setViewportSize({ width: 1280, height: 720 });
  await page.goto("/dashboard");
  const reads: string[] = [];
  page.on("request", (request) => {
    const { pathname } = new URL(request.url());
    // Until its live connection is open, the dashboard sometimes requests the stats.
    if (/^\/read\/points|\.data$/.test(pathname)) reads.push(pathname);
  });
  const entry = (number: number) => page.getByRole("link", { name: `Entry ${number}`, exact: true });
  const [first, second] = [entry(2), entry(3)];
  await first.scrollIntoViewIfNeeded();
  const before = await page.evaluate(() => scrollY);

  await first.press("Enter");
  await expect(page.getByText("New total")).toBeVisible();
  await expect(first).toBeFocused();
  await second.press("Enter");
  await expect(second).toHaveAttribute("aria-expanded", "true");
  await expect(first).toHaveAttribute("aria-expanded", "false");
  await expect(page.getByText("New total")).toHaveCount(1);
  await first.press("Enter");
  await expect(first).toHaveAttribute("aria-expanded", "true");

  expect(await page.evaluate(() => scrollY)).toBe(before);
  expect(reads).toEqual(["/read/points-log-detail", "/read/points-log-detail"]);
  // Opening rows adds no history entries.
  await first.press("Enter");
  await expect(page).toHaveURL(/\/dashboard$/);

  const next = page.getByRole("link", { name: "Next" });
  await next.scrollIntoViewIfNeeded();
  const place = await page.evaluate(() => scrollY);
  await next.press("Enter");
  await expect(entry(10)).toBeVisible();
  expect(await page.evaluate(() => scrollY)).toBe(place);
});

test("Escape closes the open entry, but not while a dialog or the date filter is open", async ({
  page,
  app,
  login,
}) => {
  const { userId } = await login();
  await app.seed.post(userId, listEntries(11));
  await page.goto("/dashboard");
  const row = page.getByRole("link", { name: "Entry 0", exact: true });
  await row.click();
  await expect(page.getByText("New total")).toBeVisible();
  const opened = page.url();
  for (const name of ["Commands", "Dates:"]) {
    await page.getByRole("button", { name }).press("Enter");
    await expect(page.locator("dialog[open], [popover=auto]:popover-open")).toBeVisible();
    await page.keyboard.press("Escape");
    await expect(page.locator("dialog[open], [popover=auto]:popover-open")).toHaveCount(0);
    await expect(page.getByText("New total")).toBeVisible();
  }
  await page.keyboard.press("Escape");
  await expect(page.getByText("New total")).toBeHidden();
  await expect(row).toBeFocused();
  await expect(row).toHaveAttribute("aria-expanded", "false");

  await page.goto(opened);
  await expect(page.getByText("New total")).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(row).toHaveAttribute("aria-expanded", "false");

  await page.goto(`${opened.replace(/#.*/, "")}&page=2`);
  await expect(page.getByText("New total")).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(page).toHaveURL("/dashboard?page=2");
  await expect(page.getByText("New total")).toBeHidden();
});

test("the icons that show if rows are open line up in one column", async ({ page, app, login }) => {
  const { userId } = await login();
  await app.seed.post(userId, [
    { category: "Others", points: 1, comment: "Short" },
    { category: "Others", points: 12_345.5, comment: "A comment that is a good deal longer than the other one" },
  ]);
  await page.goto("/dashboard");
  const marks = page.getByRole("row").locator("td svg");
  await expect(marks).toHaveCount(2);
  const [first, second] = await Promise.all([marks.first().boundingBox(), marks.last().boundingBox()]);
  expect(first?.x).toBe(second?.x);

  const when = page.getByRole("row").last().getByRole("time");
  const at = new Date((await when.getAttribute("datetime")) ?? "");
  const clock = at.toLocaleTimeString("en-GB", { timeZone: "Asia/Kolkata", hour: "2-digit", minute: "2-digit" });
  await expect(when).toHaveText(new RegExp(`, ${clock}$`));
  await expect(when).toHaveAttribute("title", /UTC$/);
});

test("a link to a log row scrolls it into view", async ({ page, app, login }) => {
  const member = await login();
  await app.seed.post(member.userId, [{ category: "Rewards", points: 250, comment: "Follow us on X" }]);
  await page.setViewportSize({ width: 1280, height: 720 });
  await page.goto("/dashboard");
  await page.getByRole("link", { name: "Follow us on X" }).click();
  await expect(page).toHaveURL(/entry=/);

  const another = await page.context().newPage();
  await another.setViewportSize({ width: 1280, height: 720 });
  await another.goto(page.url());

  await expect(another.getByText("New total")).toBeInViewport();
  await expectNoFindings(another);
  await another.goto("/dashboard?startDate=20.11.2026");
  await expect(another.getByLabel("From", { exact: true })).toHaveValue("20.11.2026");
});

test("applies a category chosen before hydration, ignores abandoned dates, and ends usual ranges today", async ({
  page,
  login,
}) => {
  await login();
  await page.clock.install();
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  await page.route("**/*.js", async (route) => {
    await released;
    await route.continue();
  });
  const category = page.getByLabel("Category", { exact: true });
  await page.goto("/dashboard", { waitUntil: "commit" });
  await category.selectOption("Rewards");
  release();
  await expect(page).toHaveURL("/dashboard?category=Rewards");

  const dates = page.getByRole("button", { name: "Dates:" });
  await dates.click();
  await page.getByLabel("From").fill("2026-01-02");
  const week = page.getByRole("link", { name: "7 days", exact: true }).last();
  const before = await week.getAttribute("href");
  await page.clock.fastForward("24:00:00");
  await expect(week).not.toHaveAttribute("href", before ?? "");

  await page.keyboard.press("Escape");
  await category.selectOption("Others");
  await expect(page).toHaveURL("/dashboard?category=Others");
});

test("the chart's scale shows large numbers in full", async ({ page, app, login }) => {
  const { userId } = await login();
  await app.seed.post(userId, [{ category: "Rewards", points: 12_345_680, comment: "A good day" }]);
  for (const width of [1440, 800]) {
    await page.setViewportSize({ width, height: 800 });
    await page.goto("/dashboard");
    const scale = page.getByRole("region", { name: "Points, last 7 days" }).locator("svg.bars-scale");
    await expect(scale).toContainText("15.000.000");
    const [card, plot, ...labels] = await scale.evaluate((svg) =>
      [svg.closest("figure"), svg.nextElementSibling, ...svg.children].map((each) => {
        const { left = NaN, right = NaN } = each?.getBoundingClientRect() ?? {};
        return { left, right };
      }),
    );
    for (const { left, right } of labels) {
      expect(left).toBeGreaterThanOrEqual((card?.left ?? NaN) - 1);
      expect(right).toBeLessThan(plot?.left ?? NaN);
    }
  }
});

test("the charts' values can be reached by keyboard and pointer", ({ page, app, login }) =>
  retryAcrossMidnight(async () => {
    const member = await login();
    await app.seed.post(
      member.userId,
      CATEGORIES.map((category, index) => ({ category, points: 100 * (index + 1), comment: category, daysAgo: index })),
    );
    await page.goto("/dashboard");

    const bars = page.getByRole("group", { name: "Points, last 7 days" });
    await expect(bars).toHaveAccessibleDescription(/points a day on average\. The best day is/);
    await page.getByRole("link", { name: "90 days" }).focus();
    await page.keyboard.press("Tab");
    await expect(page.locator(":focus")).toHaveAccessibleName(/: 100 \(Connectivity 100\)$/);
    const box = page.getByRole("region", { name: "Points, last 7 days" }).locator("strong").locator("..");
    await expect(box).toContainText(/\d \w{3}Connectivity100Total100$/);
    await page.keyboard.press("ArrowLeft");
    await expect(page.locator(":focus")).toHaveAccessibleName(/: 200 \(Referral 200\)$/);
    await page.keyboard.press("Home");
    await page.keyboard.press("ArrowLeft");
    await expect(page.locator(":focus")).toHaveAccessibleName(/: 0$/);
    // With a modifier, the key belongs to the browser.
    await page.keyboard.press("Control+End");
    await expect(page.locator(":focus")).toHaveAccessibleName(/: 0$/);
    await page.keyboard.press("Tab");
    await expect(page.locator(":focus")).toHaveText(/^Show as a table: Points, /);
    await page.keyboard.press("Shift+Tab");
    await expect(page.locator(":focus")).toHaveAccessibleName(/: 0$/);
    await page.keyboard.press("End");
    await expect(page.locator(":focus")).toHaveAccessibleName(/: 100 \(Connectivity 100\)$/);
    await page.keyboard.press("Tab");
    await expect(page.locator(":focus")).toHaveText(/^Show as a table: Points, /);
    await expect(box).toHaveCount(0);

    await page.keyboard.press("Tab");
    await expect(page.locator(":focus")).toHaveAccessibleName("Connectivity: 100, 16,7 %");
    await page.keyboard.press("ArrowRight");
    await expect(page.locator(":focus")).toHaveAccessibleName("Referral: 200, 33,3 %");
    await expect(page.getByRole("group", { name: "Points by category" })).toHaveAccessibleDescription(
      "Connectivity 16,7 %, Referral 33,3 %, Rewards 50 %",
    );

    const entry = page.getByRole("region", { name: "Points log, table" }).getByRole("link").first();
    await entry.click();
    await expect(entry).toHaveAttribute("aria-expanded", "true");
    // The last bar's tooltip appears where there is room, for as long as the pointer is there.
    await bars.getByRole("img").last().hover();
    await expect(box).toBeVisible();
    const [said, chart] = await Promise.all([box.boundingBox(), bars.boundingBox()]);
    expect((said?.x ?? NaN) + (said?.width ?? NaN)).toBeLessThan((chart?.x ?? NaN) + (chart?.width ?? NaN));
    await page.keyboard.press("Escape");
    await expect(box).toHaveCount(0);
    await expect(entry).toHaveAttribute("aria-expanded", "true");
    await page.keyboard.press("Escape");
    await expect(entry).toHaveAttribute("aria-expanded", "false");
    for (const other of [bars.getByRole("img").first(), bars.getByRole("img").last()]) {
      await other.hover();
      await expect(box).toBeVisible();
    }
    // The pointer can move onto the tooltip.
    const words = await box.innerText();
    await expect(box).toHaveCSS("pointer-events", "auto");
    await box.hover();
    expect(await box.innerText()).toBe(words);
    await page.mouse.move(0, 0);
    await expect(box).toHaveCount(0);

    // Midnight brings another day, but no second tab stop.
    const [first, last] = [bars.getByRole("img").first(), bars.getByRole("img").last()];
    await last.focus();
    await page.keyboard.press("ArrowLeft");
    const [second, before] = [await dayOf(bars.getByRole("img").nth(1)), await dayOf(page.locator(":focus"))];
    await page.route("**/read/points-history*", async (route) => {
      const response = await route.fetch();
      const answer = (await response.json()) as { history: { data: { date: string }[] } };
      const { data } = answer.history;
      const tomorrow = new Date(Date.parse(data.at(-1)?.date ?? "") + DAY_MS).toISOString().slice(0, 10);
      data.push({ ...data.shift(), date: tomorrow });
      await route.fulfill({ response, json: answer });
    });
    await app.seed.post(member.userId, [{ category: "Connectivity", points: 1, comment: "Tomorrow" }]);
    await expect.poll(() => dayOf(first)).toBe(second);
    await expect(bars.locator('[tabindex="0"]')).toHaveCount(1);
    expect(await dayOf(page.locator(":focus"))).not.toBe(before);
    await page.unroute("**/read/points-history*");

    // Another range has its own tab stop, but no second one. The page does not scroll.
    await page.evaluate(() => scrollTo(0, 50));
    await page.getByRole("link", { name: "30 days" }).click();
    const longer = page.getByRole("group", { name: "Points, last 30 days" });
    await expect(longer.getByRole("img")).toHaveCount(30);
    expect(await page.evaluate(() => scrollY)).toBe(50);
    await expect(longer.locator('[tabindex="0"]')).toHaveCount(1);
  }));
