import { expect, test } from "../fixtures.ts";
import { connected } from "../live-steps.ts";
import { visit } from "../visit.ts";

test("the actions of the rewards line up in one column, and are not cut off, however long their labels are", async ({
  page,
  app,
  context,
  login,
}) => {
  const { userId } = await login({ accepted: ["tos", "pp"] });
  await context.addCookies([{ name: "mobile_continued", value: "true", url: app.url }]);
  const oneWord = "Teilnahmebedingungenbestätigungsformular";
  const texts = [null, "Open form", "Open the long form about your first week", oneWord];
  await app.seed.campaigns(
    userId,
    texts.map((buttonText, index) => ({
      id: `reward-${index}-${userId}`,
      name: `Reward ${index}`,
      type: "social",
      formUrl: "https://forms.example/long",
      bonusPoints: 250,
      mandatory: false,
      buttonText,
      taskNumber: index,
      completed: index === 0,
    })),
  );
  for (const [width, side] of [
    [320, "left"],
    [1280, "right"],
  ] as const) {
    await page.setViewportSize({ width, height: 800 });
    await visit(page, "/rewards");
    await expect(page.getByRole("link", { name: "Reward 3" })).toBeVisible();
    const found = await page
      .getByRole("main")
      .locator("li :is(a, button)")
      .evaluateAll((controls, edge) => {
        const rows = controls.map((control) => control.closest("li")?.getBoundingClientRect());
        const boxes = controls.map((control) => control.getBoundingClientRect());
        const cells = controls.map((control) => control.parentElement?.getBoundingClientRect());
        return {
          places: new Set(boxes.map((box) => Math.round(box[edge]))).size,
          covering: boxes.filter(({ left }, index) => left < (cells[index]?.left ?? 0) - 1).length,
          stickOut: boxes.filter(({ right }, index) => right > (rows[index]?.right ?? 0) + 1).length,
          cut: controls.filter(({ clientWidth, scrollWidth }) => scrollWidth > clientWidth).length,
        };
      }, side);
    expect(found, `at ${width}`).toEqual({ places: 1, covering: 0, stickOut: 0, cut: 0 });
  }
});

test("reloads a page that was loaded before a heartbeat but arrived after it", async ({ page, app, login }) => {
  const { userId } = await login();
  await Promise.all([connected(page), page.goto("/faqs")]);
  const { promise: read, resolve: noteRead } = Promise.withResolvers<void>();
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  await page.route("**/rewards.data*", async (route) => {
    const response = await route.fetch();
    noteRead();
    await released;
    await route.fulfill({ response });
  });
  // No pointer comes near the link, so the page does not read ahead.
  const navigation = page.getByRole("navigation", { name: "Main" });
  await navigation.getByRole("link", { name: "Rewards" }).dispatchEvent("click");
  await read;
  await app.seed.beat(userId, [new Date().toISOString()]);
  await expect(page.getByRole("banner")).toContainText(/25\s*PTS/);
  release();
  await expect(page.getByText("1 of 100")).toBeVisible();
});

test("data that failed to preload loads with its page, and never shows as missing", async ({ page, login }) => {
  await login();
  await page.goto("/faqs");
  await page.route("**/read/submissions*", (route) => route.fulfill({ status: 400, json: {} }));
  const link = page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Rewards" });
  const failed = page.waitForResponse("**/read/submissions*");
  await link.hover();
  await (await failed).finished();
  await page.unroute("**/read/submissions*");
  await page.evaluate(() =>
    new MutationObserver(() => {
      if (document.body.textContent?.includes("Could not be loaded")) document.body.dataset["missed"] = "";
    }).observe(document.body, { subtree: true, childList: true }),
  );
  await link.click();
  await expect(page.getByText("0 of 100")).toBeVisible();
  await expect(page.locator("body[data-missed]")).toHaveCount(0);
});
