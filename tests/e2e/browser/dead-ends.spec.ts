import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "@playwright/test";
import type { RunningApp } from "../../support/start-app.ts";
import { expect, test } from "../fixtures.ts";

const PASSWORD = "a long pass phrase";
const pathOf = (link = "") => new URL(link).pathname + new URL(link).search;

async function send(page: Page, fields: Record<string, string>, button: string) {
  for (const [label, value] of Object.entries(fields)) await page.getByLabel(label, { exact: true }).fill(value);
  await page.getByRole("button", { name: button, exact: true }).click();
}

async function startSignUp(page: Page, app: RunningApp, email = `${crypto.randomUUID()}@nodebeat.test`) {
  await page.goto("/auth/signup");
  await send(page, { Email: email, Password: PASSWORD }, "Create account");
  await expect(page).toHaveURL("/auth/verify");
  return app.seed.mail(email);
}

async function startReset(page: Page, app: RunningApp) {
  const { email } = await app.seed.member({});
  await page.goto("/auth/forgot-password");
  await send(page, { Email: email }, "Send the link");
  await expect(page.getByRole("heading", { name: "Look into your mail" })).toBeVisible();
  return app.seed.mail(email);
}

async function openMailed(page: Page, link: string | undefined, button: string) {
  await page.goto(pathOf(link));
  await page.getByRole("button", { name: button }).click();
}

type DeadEnd = { title: string; wayOn: string; reach: (page: Page, app: RunningApp) => Promise<void> };

const DEAD_ENDS: DeadEnd[] = [
  {
    title: "Your email is confirmed already",
    wayOn: "Sign in",
    async reach(page, app) {
      const { link } = await startSignUp(page, app);
      await openMailed(page, link, "Confirm my email");
      await expect(page).toHaveURL("/dashboard");
      await page.context().clearCookies({ name: /session/ });
      await openMailed(page, link, "Confirm my email");
    },
  },
  {
    title: "This address has an account",
    wayOn: "Forgot password?",
    async reach(page, app) {
      const email = `${crypto.randomUUID()}@nodebeat.test`;
      const first = await startSignUp(page, app, email);
      await page.context().clearCookies({ name: /sign_?up/i });
      await page.goto("/auth/signup");
      await send(page, { Email: email, Password: PASSWORD }, "Create account");
      await expect(page).toHaveURL("/auth/verify");
      const second = await app.seed.mail(email, 2);
      await openMailed(page, first.link, "Confirm my email");
      await expect(page).toHaveURL("/dashboard");
      await page.context().clearCookies({ name: /session/ });
      await openMailed(page, second.link, "Confirm my email");
    },
  },
  {
    title: "This sign-up has expired",
    wayOn: "Sign up again",
    reach: (page) => openMailed(page, "http://x/auth/verify?code=nbv_unknown", "Confirm my email"),
  },
  {
    title: "This link has expired",
    wayOn: "Ask for a new link",
    reach: (page) => openMailed(page, "http://x/auth/reset-password?token=nbl_unknown", "Choose a new password"),
  },
  {
    title: "This link was already used",
    wayOn: "Ask for a new link",
    async reach(page, app) {
      const { link } = await startReset(page, app);
      await openMailed(page, link, "Choose a new password");
      await send(page, { "New password": PASSWORD }, "Save the password");
      await expect(page.getByText("Your password is changed.")).toBeVisible();
      await openMailed(page, link, "Choose a new password");
    },
  },
  {
    title: "The time to choose a password is over",
    wayOn: "Ask for a new link",
    async reach(page, app) {
      const { link, to } = await startReset(page, app);
      await openMailed(page, link, "Choose a new password");
      await expect(page.getByLabel("New password", { exact: true })).toBeVisible();
      await app.seed.endRecoveries(to);
      await send(page, { "New password": PASSWORD }, "Save the password");
    },
  },
  {
    title: "Too many attempts",
    wayOn: "Try again",
    async reach(page, app) {
      const { link } = await startReset(page, app);
      await page.goto(pathOf(link));
      // All that this client may try with mailed tokens, by way of links that are nobody's.
      const body = JSON.stringify({ token: "nbl_unknown" });
      const headers = { "content-type": "application/json" };
      for (let left = 31; left > 0; left--) await page.request.post("/api/auth/open-recovery", { data: body, headers });
      await page.getByRole("button", { name: "Choose a new password" }).click();
    },
  },
];

for (const theme of ["light", "dark"]) {
  for (const { title, wayOn, reach } of DEAD_ENDS) {
    test(`${theme} › "${title}" is said by heading, focus and title, fits a small screen, and leads on`, async ({
      page,
      app,
      context,
    }) => {
      await context.addCookies([
        { name: "theme", value: theme, url: app.url },
        { name: "mobile_continued", value: "true", url: app.url },
      ]);
      await reach(page, app);
      await expect(page.getByRole("heading", { name: title, level: 1 })).toBeFocused();
      await expect(page).toHaveTitle(`${title} · Nodebeat`);
      await expect(page.getByRole("main").getByRole("link", { name: wayOn })).toBeVisible();
      const { violations } = await new AxeBuilder({ page }).withTags(["wcag2a", "wcag2aa", "wcag22aa"]).analyze();
      expect(violations.map(({ id }) => id)).toEqual([]);

      await page.setViewportSize({ width: 320, height: 640 });
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
    });
  }
}
