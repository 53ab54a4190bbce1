import type { Page } from "@playwright/test";
import { expect, test } from "../fixtures.ts";
import { expectNoFindings } from "../expect-no-findings.ts";

const PAGES = ["/admin", "/admin/members", "/admin/audit", "/admin/administrators"];

/** No administration page needs a script; the theme's code is in the document. */
async function expectNoScripts(page: Page) {
  expect(await page.locator("script[src], script[type=module], link[rel=modulepreload]").count()).toBe(0);
}

test("the pages about members and administrators pass axe in both themes, and load no script", async ({
  page,
  app,
  login,
}) => {
  const { userId } = await login({ email: `admin-${crypto.randomUUID()}@example.com` });
  await app.seed.administrator(userId);
  for (const path of [...PAGES, `/admin/members/${userId}`, `/admin/members/${userId}/points`]) {
    await page.goto(path);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    await expectNoScripts(page);
    await expectNoFindings(page);
  }
});

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });

  test("an administrator finds a member, blocks them, and sees it in the audit log", async ({ page, app, login }) => {
    const { userId } = await login({ email: `admin-${crypto.randomUUID()}@example.com` });
    await app.seed.administrator(userId);
    const ada = await app.seed.member({ email: `ada-${crypto.randomUUID()}@example.com` });
    await page.goto("/admin/members");
    const field = page.getByRole("searchbox", { name: "Search" });
    const button = page.getByRole("button", { name: "Search" });
    expect((await button.boundingBox())?.y).toBeCloseTo((await field.boundingBox())?.y ?? Number.NaN, 0);
    await field.fill(ada.email.slice(0, 20));
    await button.click();
    await page.getByRole("link", { name: ada.email }).click();

    await page.getByText("Block the member").first().click();
    const block = page.locator("form#block");
    await block.getByLabel("Reason").fill('Sells points <script>alert("1")</script>');
    await block.getByRole("button", { name: "Block the member" }).click();
    await expect(page.getByRole("status").filter({ hasText: "The member is blocked" })).toBeVisible();
    await expect(page.getByText("Blocked", { exact: true })).toBeVisible();

    await page.getByRole("link", { name: "See the audit log" }).click();
    await expect(page.getByRole("cell", { name: "member.blocked" })).toBeVisible();
    await expect(page.getByRole("cell", { name: 'Sells points <script>alert("1")</script>' })).toBeVisible();
  });

  test("changes a member's email, and rejects one in use with an error beside the field", async ({
    page,
    app,
    login,
  }) => {
    const { userId, email } = await login({ email: `admin-${crypto.randomUUID()}@example.com` });
    await app.seed.administrator(userId);
    const ada = await app.seed.member({ email: `ada-${crypto.randomUUID()}@example.com` });
    await page.goto(`/admin/members/${ada.userId}`);
    await page.getByText("Change the email").first().click();
    const form = page.locator("form#change-address");
    await form.getByLabel("New email").fill(email);
    await form.getByLabel("Reason").fill("Lost the mailbox");
    await form.getByRole("checkbox").check();
    await form.getByRole("button", { name: "Change the email" }).click();
    await expect(form.getByText("Another member has this address.")).toBeVisible();
    await expect(form.getByLabel("Reason")).toHaveValue("Lost the mailbox");

    const renamed = `new-${crypto.randomUUID()}@example.com`;
    await form.getByLabel("New email").fill(renamed);
    await form.getByRole("checkbox").check();
    await form.getByRole("button", { name: "Change the email" }).click();
    await expect(page.getByRole("status").filter({ hasText: "new address from now on" })).toBeVisible();
    await expect(page.getByRole("heading", { name: renamed })).toBeVisible();
    const { subject } = await app.seed.mail(renamed);
    expect(subject).toBe("You now sign in with this address");
  });
});
