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
