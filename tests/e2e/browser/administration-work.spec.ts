import type { Page } from "@playwright/test";
import { expect, test } from "../fixtures.ts";
import type { RunningApp } from "../../support/servers/start-app.ts";
import { expectNoFindings } from "../expect-no-findings.ts";

const PAGES = [
  "/admin/campaigns",
  "/admin/completions",
  "/admin/adjustments",
  "/admin/referrals",
  "/admin/legal",
  "/admin/legal/pp",
  "/admin/chain-jobs",
  "/admin/mail?show=all",
  "/admin/background-jobs?show=all",
  "/admin/webhooks",
  "/admin/chain-jobs/of-nobody",
];

/** Creates a held invitation, a campaign and a webhook. Returns the addresses of their pages. */
async function prepareDetails(page: Page, app: RunningApp): Promise<string[]> {
  const name = crypto.randomUUID();
  const inviter = await app.seed.member({ email: `${name}@example.com` });
  await app.seed.friend(inviter.userId, { email: `${name}+2@example.com` });
  await page.goto("/admin/referrals");
  const held = await page.getByRole("row", { name }).getByRole("link", { name: "Review" }).getAttribute("href");
  const id = `axe-${name.slice(0, 8)}`;
  await page.goto("/admin/campaigns");
  await page.getByLabel("Id", { exact: true }).fill(id);
  await page.getByLabel("Name").fill("Follow us");
  await page.getByLabel("Form URL").fill("https://forms.example/follow");
  await page.getByLabel("Points").fill("250");
  await page.getByLabel("Reason").fill("Winter");
  await page.getByRole("button", { name: "Create the campaign" }).click();
  await expect(page.getByRole("heading", { name: "Follow us" })).toBeVisible();
  return [held ?? "", `/admin/campaigns/${id}`, await prepareWebhook(page, app)];
}

/** Returns fields that cut off their value, and selects that look disabled. */
const findUnfit = (page: Page) =>
  page.locator("#change-campaign :is(.input, select)").evaluateAll((fields: HTMLInputElement[]) =>
    fields
      .filter((field) => {
        const { clientWidth } = field;
        field.style.width = "max-content";
        const isCut = field.type === "datetime-local" && field.clientWidth > clientWidth;
        field.style.width = "";
        const [look, usual] = [field, fields[0]].map((each) => each && getComputedStyle(each).backgroundColor);
        return isCut || look !== usual;
      })
      .map(({ name }) => name),
  );

/** Adds a webhook and waits for its secret. Returns its address, as the list shows it. */
async function addWebhook(page: Page): Promise<string> {
  const url = `https://hooks.invalid/${crypto.randomUUID()}`;
  await page.goto("/admin/webhooks");
  await page.getByLabel("Address").fill(url);
  await page.getByLabel("Somebody has become a member").check();
  await page.getByLabel("A member has claimed a reward").check();
  await page.getByLabel("Reason").fill("Our CRM");
  await page.getByRole("button", { name: "Add the webhook" }).click();
  await expect(page.getByText(/^whsec_/)).toBeVisible();
  return url;
}

async function openWebhook(page: Page, url: string) {
  await page.getByRole("link", { name: url }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Webhook" })).toBeVisible();
}

async function pauseWebhook(page: Page) {
  await page.locator("summary", { hasText: "Pause the webhook" }).click();
  const form = page.locator("form#pause-webhook");
  await form.getByLabel("Reason").fill("Their server moves");
  await form.getByRole("button", { name: "Pause the webhook" }).click();
  await expect(page.getByText("Paused", { exact: true })).toBeVisible();
}

/**
 * Creates a paused webhook with a waiting message, and checks the page that shows its secret. Returns the address of
 * its page.
 */
async function prepareWebhook(page: Page, app: RunningApp): Promise<string> {
  const { userId } = await app.seed.member({});
  await app.seed.announce(userId);
  const url = await addWebhook(page);
  await expectNoFindings(page);
  await openWebhook(page, url);
  await pauseWebhook(page);
  const { pathname } = new URL(page.url());
  await page.getByText("Send messages again", { exact: true }).click();
  const again = page.locator("form#replay-events");
  await again.getByLabel("From").fill("2026-01-01T00:00:00");
  await again.getByLabel("Reason").fill("The CRM is new");
  await again.getByRole("button", { name: /^Send up to/ }).click();
  await expect(page.getByRole("status").filter({ hasText: "sent again" })).toBeVisible();
  return pathname;
}

test("each page of the administration's work passes axe in both themes", async ({ page, app, login }) => {
  const { userId } = await login({ email: `admin-${crypto.randomUUID()}@example.com` });
  await app.seed.administrator(userId);
  // First, so that the lists are not empty.
  const details = await prepareDetails(page, app);
  for (const path of [...PAGES, ...details]) {
    await page.goto(path);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    // Forms in closed `details` count, too.
    await page.locator("details").evaluateAll((all) => {
      for (const each of all) each.setAttribute("open", "");
    });
    await expectNoFindings(page);
  }
});

/**
 * Finds content that overflows sideways: in the page, and in its tables if the window is as wide as they are made for.
 * Checks before and after opening every `details` element.
 */
async function findWide(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const tables = innerWidth < 1280 ? [] : document.querySelectorAll(".table-scroll");
    const findAny = () =>
      [document.documentElement, ...tables]
        .filter(({ clientWidth, scrollWidth }) => scrollWidth > clientWidth)
        .map((each) => `${each.ariaLabel ?? "the page"}: ${each.scrollWidth} > ${each.clientWidth}`);
    const folded = findAny();
    for (const each of document.querySelectorAll("main details")) each.setAttribute("open", "");
    return [...folded, ...findAny()];
  });
}

test("administration tables with long addresses and reasons do not overflow", async ({ page, app, context, login }) => {
  const { userId } = await login({ email: `admin-${crypto.randomUUID()}@example.com` });
  await app.seed.administrator(userId);
  await context.addCookies([{ name: "mobile_continued", value: "true", url: app.url }]);
  const name = `alongaddresswithoutanyroomtobreak-${crypto.randomUUID()}`;
  const domain = "members-of-a-long-domain.nodebeat.example.org";
  const inviter = await app.seed.member({ email: `${name}@${domain}` });
  await app.seed.friend(inviter.userId, { email: `${name}+2@${domain}` });
  const webhook = await prepareWebhook(page, app);
  await page.goto("/admin/adjustments");
  await page.getByLabel("Email or id of the member").fill(inviter.userId);
  await page.getByRole("textbox", { name: "Points" }).fill("500000");
  await page.getByLabel("Reason").fill(`They wrote to us: https://support.example.org/${"1".repeat(80)}`);
  await page.getByRole("button", { name: "Adjust points" }).click();
  await expect(page.getByRole("row", { name })).toBeVisible();

  const paths = ["adjustments", "referrals", "audit", "administrators", `members/${inviter.userId}`, "members"];
  for (const width of [1280, 320]) {
    await page.setViewportSize({ width, height: 720 });
    for (const path of [...paths.map((each) => `/admin/${each}`), "/admin/webhooks", webhook]) {
      await page.goto(path);
      expect(await findWide(page), `${path} at ${width}`).toEqual([]);
    }
  }
});

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });

  test("creates and ends a campaign, imports completions, and lets invalid lines be corrected", async ({
    page,
    app,
    login,
  }) => {
    const { userId } = await login({ email: `admin-${crypto.randomUUID()}@example.com` });
    await app.seed.administrator(userId);
    const [ada, ben] = [await app.seed.member({}), await app.seed.member({})];
    const id = `survey-${crypto.randomUUID().slice(0, 8)}`;
    await page.goto("/admin/campaigns");
    const form = page.locator("form#make-campaign");
    await form.getByLabel("Id", { exact: true }).fill(id);
    await form.getByLabel("Name").fill("Member survey");
    await form.getByLabel("Form URL").fill("https://forms.example/survey");
    await form.getByLabel("Points").fill("250");
    await form.getByLabel("Ends").fill("2999-01-01T00:00:00");
    await form.getByLabel("Reason").fill("Winter");
    await form.getByRole("button", { name: "Create the campaign" }).click();
    await expect(page.getByRole("status").filter({ hasText: "is created" })).toBeVisible();
    await expect(page.getByText("1 Jan 2999, 00:00 UTC")).toBeVisible();

    await page.goto("/admin/completions");
    const file = ["member,campaignId", `${ada.email},${id}`, `nobody-at-all@example.com,${id}`].join("\n");
    const buffer = Buffer.from(file);
    await page.getByLabel("File").setInputFiles({ name: "done.csv", mimeType: "text/csv", buffer });
    await page.getByLabel("Reason").fill("The survey's own list");
    await page.getByRole("button", { name: "Import" }).click();
    await expect(page.getByText("1 recorded, 0 already recorded, 1 not recorded.")).toBeVisible();
    const lines = page.getByLabel("Or paste its lines");
    await expect(lines).toHaveValue(`member,campaignId\nnobody-at-all@example.com,${id}`);
    await lines.fill(`member,campaignId\n${ben.email},${id}`);
    await page.getByLabel("Reason").fill("The survey's own list");
    await page.getByRole("button", { name: "Import" }).click();
    await expect(page.getByText("1 recorded, 0 already recorded, 0 not recorded.")).toBeVisible();

    await page.goto(`/admin/campaigns/${id}`);
    await expect(page.getByRole("cell", { name: ben.email })).toBeVisible();
    await page.locator("summary", { hasText: "Edit the campaign" }).click();
    await expect(page.locator("#change-campaign .input").first()).toBeVisible();
    expect(await findUnfit(page)).toEqual([]);
    await page.locator("summary", { hasText: "End the campaign" }).click();
    const end = page.locator("form#end-campaign");
    await end.getByLabel("Reason").fill("Enough answers");
    await end.getByRole("checkbox").check();
    await end.getByRole("button", { name: "End the campaign" }).click();
    await expect(page.getByText("Ended", { exact: true })).toBeVisible();
  });

  test("rejects a file that is too large, and says what to do", async ({ page, app, login }) => {
    const { userId } = await login({ email: `admin-${crypto.randomUUID()}@example.com` });
    await app.seed.administrator(userId);
    await page.goto("/admin/completions");
    const buffer = Buffer.from("a,b\n".repeat(100_000));
    await page.getByLabel("File").setInputFiles({ name: "long.csv", mimeType: "text/csv", buffer });
    await page.getByLabel("Reason").fill("The survey's own list");
    await page.getByRole("button", { name: "Import" }).click();
    await expect(page.getByText("The file is too long: send it in parts.")).toBeVisible();
  });

  test("a paused webhook sends its waiting messages when it is resumed", async ({ page, app, login }) => {
    const { userId } = await login({ email: `admin-${crypto.randomUUID()}@example.com` });
    await app.seed.administrator(userId);
    const url = await addWebhook(page);
    await openWebhook(page, url);
    await pauseWebhook(page);
    await app.seed.announce((await app.seed.member({})).userId);
    await page.goto("/admin/webhooks");
    await expect(page.getByRole("row", { name: url }).getByText("Paused", { exact: true })).toBeVisible();

    await openWebhook(page, url);
    await page.locator("summary", { hasText: "Resume the webhook" }).click();
    const form = page.locator("form#resume-webhook");
    await expect(form.getByText("1 message is waiting.")).toBeVisible();
    await form.getByRole("button", { name: "Resume the webhook" }).click();
    // The browser itself asks for it: nothing was sent.
    await expect(form.getByLabel("Reason")).toBeFocused();
    await form.getByLabel("Reason").fill("It has moved");
    await form.getByRole("button", { name: "Resume the webhook" }).click();
    await expect(page.getByRole("status").filter({ hasText: "1 waiting message is being sent." })).toBeVisible();
    await expect(page.getByText("Active", { exact: true })).toBeVisible();
  });

  test("shows a draft as members will read it, and publishes it", async ({ page, app, login }) => {
    const { userId } = await login({ email: `admin-${crypto.randomUUID()}@example.com` });
    await app.seed.administrator(userId);
    await page.goto("/admin/legal/pp");
    const draft = page.locator("form#save-draft");
    const title = "What we do not do <b>ever</b>";
    const earliest = Date.parse(await draft.getByLabel("In force from").inputValue());
    // Late enough not to matter to other journeys.
    const day = new Date(earliest + 90 * 24 * 60 * 60 * 1000).toISOString().slice(0, 10);
    await draft.getByLabel("In force from").fill(day);
    await draft.getByLabel("What changed").fill("Says what we do not do.");
    await draft.getByLabel("Text").fill(`## ${title} {#never}\n\nWe do not sell data.\n\n- Not once\n- Not to anybody`);
    await draft.getByLabel("Reason").fill("Asked for by members");
    await draft.getByRole("button", { name: "Save the draft" }).click();
    await expect(page.getByRole("heading", { name: `1. ${title}` })).toBeVisible();
    await expect(page.getByText("This version is announced and not in force yet.")).toBeVisible();

    await page.getByText("Publish", { exact: true }).click();
    const publish = page.locator("form#publish-draft");
    await publish.getByLabel("Reason").fill("Asked for by members");
    await publish.getByRole("checkbox").check();
    await publish.getByRole("button", { name: "Publish, in force from" }).click();
    const said = page.getByRole("status").filter({ hasText: "is published" });
    await expect(said).toBeVisible();
    const version = /Version (\d+)/.exec(await said.innerText())?.[1];
    await page.goto(`/privacy/${version}`);
    await expect(page.getByRole("heading", { name: `1. ${title}` })).toBeVisible();
  });
});
