import type { Page } from "@playwright/test";
import { startApp, type RunningApp } from "../../support/servers/start-app.ts";
import { expectNoFindings } from "../expect-no-findings.ts";
import { expect, test } from "../fixtures.ts";
import { hydrated } from "../hydration.ts";
import { CONTAINER, MEASURING, readEvents, serveContainer, strip } from "../measuring-steps.ts";

// Keeps the file in one worker, so it starts only one more server.
test.describe.configure({ mode: "default" });

let measured: RunningApp;
test.beforeAll(async () => {
  measured = await startApp({ settings: MEASURING });
});
test.afterAll(() => measured.close());

const countShifts = (page: Page) =>
  page.evaluate(() => {
    const observer = new PerformanceObserver(() => {});
    observer.observe({ type: "layout-shift", buffered: true });
    return observer.takeRecords().length;
  });

/** Returns those of these elements that the question covers while they have the focus. */
const findCovered = (all: (HTMLElement | SVGElement)[]) =>
  all
    .filter((each) => {
      if (each.closest("#consent-strip")) return false;
      each.focus();
      const { left, top, width, height } = each.getBoundingClientRect();
      return document.elementFromPoint(left + width / 2, top + height / 2)?.closest("#consent-strip");
    })
    .map(({ textContent }) => textContent);

test("consent can be withdrawn on the help page, which unloads the container, and given again", async ({
  page,
  context,
}) => {
  const asked = await serveContainer(page);
  await context.addCookies([
    { name: "analytics_consent", value: "granted", url: measured.url },
    { name: "_ga_TEST1", value: "GS1.1", url: measured.url },
  ]);
  await page.goto(`${measured.url}/faqs?q=measure`);
  await expect(page.locator("html")).toHaveAttribute("data-gtm", "loaded");
  // What somebody has typed is not sent.
  expect(await readEvents(page)).toEqual([
    { event: "page_view", page_path: "/faqs", page_title: "Help & FAQs · Nodebeat" },
  ]);

  await page.getByRole("button", { name: "Stop measuring" }).click();
  await expect(page.getByText("Your visits are not measured")).toBeVisible();
  await expect(page.locator("html")).not.toHaveAttribute("data-gtm");
  expect((await context.cookies()).map(({ name }) => name)).toEqual(["analytics_consent"]);
  expect(asked).toEqual([CONTAINER]);

  // A new document, so that nothing of the loaded code remains.
  await hydrated(page);
  await page.getByRole("button", { name: "Allow measuring" }).click();
  await expect(page.getByText("You allow us to measure")).toBeVisible();
  await expect(page.locator("html")).toHaveAttribute("data-gtm", "loaded");
});

test("consent withdrawn in one tab holds in the others, and leaves what is typed there", async ({ page, context }) => {
  await serveContainer(page);
  await context.addCookies([{ name: "analytics_consent", value: "granted", url: measured.url }]);
  const other = await context.newPage();
  await serveContainer(other);
  await other.goto(`${measured.url}/auth`);
  await expect(other.locator("html")).toHaveAttribute("data-gtm", "loaded");
  await other.getByLabel("Email").fill("ada@example.com");

  await page.goto(`${measured.url}/faqs?q=measure`);
  await hydrated(page);
  await page.getByRole("button", { name: "Stop measuring" }).click();
  const update = { ad_personalization: "denied", ad_storage: "denied", ad_user_data: "denied" };
  await expect
    .poll(async () => (await readEvents(other)).at(-1))
    .toEqual({ "0": "consent", "1": "update", "2": { ...update, analytics_storage: "denied" } });
  await expect(other.getByLabel("Email")).toHaveValue("ada@example.com");

  const told = (await readEvents(other)).length;
  await other.getByRole("link", { name: "Create an account" }).click();
  await expect(other).toHaveURL(`${measured.url}/auth/signup`);
  expect(await readEvents(other)).toHaveLength(told);
});

test("withdrawing consent removes the cookies of the domains above the host", async ({ page, context }) => {
  await serveContainer(page);
  const url = new URL(measured.url);
  url.hostname = "members.nodebeat.localhost";
  await context.addCookies([
    { name: "analytics_consent", value: "granted", url: url.origin },
    ...["members.nodebeat.localhost", ".members.nodebeat.localhost", ".nodebeat.localhost"].map((domain, index) => ({
      name: `_ga_${index}`,
      value: "GS1.1",
      domain,
      path: "/",
    })),
  ]);
  await page.goto(`${url.origin}/faqs?q=measure`);
  await hydrated(page);
  await page.getByRole("button", { name: "Stop measuring" }).click();
  await expect(page.getByText("Your visits are not measured")).toBeVisible();
  expect((await context.cookies()).map(({ name }) => name)).toEqual(["analytics_consent"]);
});

test("the consent question passes axe, shifts no layout and covers nothing", async ({ page }) => {
  for (const path of ["/auth", "/faqs"]) {
    await page.goto(measured.url + path);
    await expect(strip(page)).toBeVisible();
    expect(await countShifts(page), path).toBe(0);
    await expectNoFindings(page);
  }
  await page.setViewportSize({ width: 800, height: 500 });
  for (const path of ["/auth", "/faqs"]) {
    await page.goto(measured.url + path);
    await expect(strip(page)).toBeVisible();
    expect(await page.locator("a, button, summary, input").evaluateAll(findCovered), path).toEqual([]);
  }
  // At 400 %, a desktop shows the card for small screens.
  await page.setViewportSize({ width: 320, height: 256 });
  expect(await page.getByRole("button", { name: "Continue anyway" }).evaluateAll(findCovered)).toEqual([]);
});
