import type { Page } from "@playwright/test";
import { startSlicingProxy } from "../../support/servers/slicing-proxy.ts";
import { expect, test } from "../fixtures.ts";
import { recordShifts, readSettledShifts } from "../shifts.ts";

const MEMBER = { heartbeats: 100, wallet: `0x${crypto.randomUUID()}` };
const PAGES = [
  { path: "/auth", member: null, slices: 30 },
  { path: "/auth/logout", member: {}, slices: 12 },
  { path: "/nowhere", member: null, slices: 8 },
  { path: "/faqs", member: null, slices: 8 },
  { path: "/dashboard", member: MEMBER, slices: 20 },
  { path: "/rewards", member: { accepted: [] }, slices: 30 },
];

test.use({ contextOptions: { reducedMotion: "no-preference" } });

const countElements = (page: Page) => page.evaluate(() => document.getElementsByTagName("*").length);

/** Waits until the page has more elements than this, and has had time to paint them. */
const paintMoreThan = (page: Page, count: number) =>
  page.evaluate(
    (before) =>
      new Promise((resolve) => {
        const look = () => {
          if (document.getElementsByTagName("*").length <= before) requestAnimationFrame(look);
          else requestAnimationFrame(() => requestAnimationFrame(resolve));
        };
        look();
      }),
    count,
  );

/**
 * Opens a page whose slices are let through one at a time, each after the previous one was painted. Returns how many
 * came.
 */
async function openSliced(page: Page, origin: string, path: string, look: () => Promise<void>) {
  const proxy = await startSlicingProxy(origin, path);
  try {
    await page.goto(proxy.url + path, { waitUntil: "commit" });
    let seen = 0;
    await paintMoreThan(page, 0);
    for (let before = await countElements(page); proxy.release(); before = await countElements(page)) {
      await paintMoreThan(page, before);
      seen += 1;
    }
    await look();
    // Further requests of the page would reach no server.
    await page.goto("about:blank");
    return seen;
  } finally {
    await proxy.close();
  }
}

for (const { path, member, slices } of PAGES) {
  test(`${path} does not shift its layout when it arrives in small pieces`, async ({ page, app, login }) => {
    if (member) await login(member);
    await recordShifts(page);
    const seen = await openSliced(page, app.url, path, async () => {
      expect(await readSettledShifts(page)).toEqual([]);
      await expect(page.getByRole("banner")).toBeVisible();
    });
    expect(seen).toBeGreaterThanOrEqual(slices);
  });
}

test("the first field has the focus when its page arrives in small pieces", async ({ page, app }) => {
  await page.goto("/auth/signup");
  await page.getByLabel("Email").fill(`${crypto.randomUUID()}@nodebeat.test`);
  await page.getByLabel("Password", { exact: true }).fill("a pass phrase of mine");
  await page.getByRole("button", { name: "Create account" }).click();
  await expect(page).toHaveURL("/auth/verify");
  await openSliced(page, app.url, "/auth/verify", () => expect(page.getByLabel("Code", { exact: true })).toBeFocused());
});
