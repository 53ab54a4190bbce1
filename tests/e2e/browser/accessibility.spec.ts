import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "@playwright/test";
import { expect, test } from "../fixtures.ts";

const WCAG_22_AA = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
const PUBLIC = ["/auth", "/auth/signup", "/auth/verify", "/auth/forgot-password", "/faqs", "/no-such-page"];
const MEMBERS = [
  "/dashboard",
  "/dashboard?endDate=2020-01-01",
  "/agentinsights",
  "/rewards",
  "/referrals",
  "/profile",
  "/auth/logout",
];

async function expectNoFindings(page: Page) {
  const { violations } = await new AxeBuilder({ page }).withTags(WCAG_22_AA).analyze();
  expect(violations.map(({ id, nodes }) => ({ id, where: nodes.map(({ target }) => target.join(" ")) }))).toEqual([]);
}

async function sendForm(page: Page, fields: Record<string, string>, button: string, title: string) {
  for (const [label, value] of Object.entries(fields)) await page.getByLabel(label, { exact: true }).fill(value);
  await page.getByRole("button", { name: button }).click();
  await expect(page.getByRole("heading", { name: title })).toBeVisible();
}

async function sendCode(page: Page, code: string) {
  const answer = page.waitForResponse((response) => response.request().method() === "POST");
  await page.getByLabel("Code").fill(code);
  await page.getByRole("button", { name: "Confirm" }).click();
  await answer;
}

for (const theme of ["light", "dark"]) {
  test.describe(theme, () => {
    test.beforeEach(({ app, context }) => context.addCookies([{ name: "theme", value: theme, url: app.url }]));

    for (const path of PUBLIC) {
      test(`${path} has no accessibility finding`, async ({ page }) => {
        await page.goto(path);
        await expectNoFindings(page);
      });
    }

    for (const path of MEMBERS) {
      test(`${path} has no accessibility finding`, async ({ page, app, login }) => {
        const member = await login();
        await app.seed.post(member.userId, [
          { category: "Rewards", points: 250, comment: "Follow us on X" },
          { category: "Referral", points: 1000, comment: "A friend joined", daysAgo: 2 },
        ]);
        await page.goto(path);
        await expectNoFindings(page);
      });
    }

    test("the log-out dialog and the mobile card have no accessibility finding", async ({ page, login }) => {
      await login();
      await page.goto("/dashboard");
      await page.getByRole("button", { name: "Log out" }).first().click();
      await expect(page.getByRole("dialog")).toBeVisible();
      await expectNoFindings(page);

      await page.setViewportSize({ width: 600, height: 800 });
      await page.reload();
      await expectNoFindings(page);
    });

    test("the pages from sign-up to membership have no accessibility finding", async ({ page, app }) => {
      await page.goto("/auth/signup?referralCode=abc");
      await page.getByLabel("Password", { exact: true }).fill("short");
      await page.getByRole("button", { name: "Create account" }).click();
      await expect(page.getByText("Use at least 8 characters.")).toBeVisible();
      await expectNoFindings(page);

      const email = `${crypto.randomUUID()}@nodebeat.test`;
      await sendForm(page, { Email: email, Password: "a long pass phrase" }, "Create account", "Confirm your email");
      await expect(page.getByText("Possible in")).toBeVisible();
      await expectNoFindings(page);

      const { code, link = "" } = await app.seed.mail(email);
      for (const _ of Array.from({ length: 5 })) await sendCode(page, code === "000000" ? "111111" : "000000");
      await expectNoFindings(page);
      await sendCode(page, code ?? "");
      await expect(page.getByRole("heading", { name: "Too many attempts" })).toBeFocused();
      await expectNoFindings(page);

      await page.goto(link.replace(/^https?:\/\/[^/]+/, ""));
      await expectNoFindings(page);
    });

    test("the pages from a forgotten password to a new one have no accessibility finding", async ({ page, app }) => {
      const { email } = await app.seed.member({});
      await page.goto("/auth/forgot-password");
      await sendForm(page, { Email: email }, "Send the link", "Look into your mail");
      await expect(page.getByText("Possible in")).toBeVisible();
      await expectNoFindings(page);

      const { link = "" } = await app.seed.mail(email);
      await page.goto(link.replace(/^https?:\/\/[^/]+/, ""));
      await expectNoFindings(page);
      await page.getByRole("button", { name: "Choose a new password" }).click();
      await page.getByLabel("New password", { exact: true }).fill("a long pass phrase");
      await expectNoFindings(page);
      await page.getByRole("button", { name: "Save the password" }).click();
      await expect(page.getByText("Your password is changed.")).toBeVisible();
      await expectNoFindings(page);
    });

    for (const [path, button, title] of [
      ["/auth/verify?code=nbv_unknown", "Confirm my email", "This sign-up has expired"],
      ["/auth/reset-password?token=nbl_unknown", "Choose a new password", "This link has expired"],
    ] as const) {
      test(`the page that says "${title}" has no accessibility finding`, async ({ page }) => {
        await page.goto(path);
        await page.getByRole("button", { name: button }).click();
        await expect(page.getByRole("heading", { name: title })).toBeFocused();
        await expectNoFindings(page);
      });
    }

    test("the profile has no accessibility finding with messages and a code to type, nor the undoing of campaign mail", async ({
      page,
      login,
    }) => {
      await login();
      await page.goto("/profile");
      await page.getByLabel("Another address").fill("news@example.org");
      await page.getByRole("button", { name: "Mail a code" }).click();
      await expect(page.getByLabel("Code", { exact: true })).toBeVisible();
      await expectNoFindings(page);

      await page.getByLabel("Current password").fill("not the password");
      await page.getByLabel("New password").fill("a new and longer password");
      await page.getByRole("button", { name: "Change password" }).click();
      await expect(page.getByText("That is not your current password.")).toBeVisible();
      await expectNoFindings(page);

      await page.goto("/rewards?unsubscribe=1");
      await expect(page.getByRole("button", { name: "Undo" })).toBeVisible();
      await expectNoFindings(page);
    });

    test("a refused sign-in has no accessibility finding", async ({ page }) => {
      await page.goto("/auth");
      await page.getByLabel("Email").fill("nobody@nodebeat.test");
      await page.getByLabel("Password", { exact: true }).fill("12345");
      await page.getByRole("button", { name: "Sign in" }).click();
      await expect(page.getByText("Use at least 8 characters.")).toBeVisible();
      await expectNoFindings(page);
    });
  });
}
