import type { Page } from "@playwright/test";
import type { RunningApp } from "../../support/servers/start-app.ts";
import { forgetMember, pathOf, sendCode, sendForm } from "../auth-steps.ts";
import { expectNoFindings } from "../expect-no-findings.ts";
import { expect, test } from "../fixtures.ts";
import { addPendingCookies } from "../pending-cookies.ts";

async function press(page: Page, path: string, button: string) {
  await page.goto(path);
  await page.getByRole("button", { name: button, exact: true }).click();
}

/** How to reach the pages that end a sign-up or a reset, by what each page says. */
const DEAD_ENDS: Record<string, (page: Page, app: RunningApp) => Promise<void>> = {
  "This sign-up has expired": (page) => press(page, "/auth/verify?code=nbv_unknown", "Confirm my email"),
  "This link has expired": (page) => press(page, "/auth/reset-password?token=nbl_unknown", "Choose a new password"),

  async "Open the link in the email again"(page) {
    await page.goto("/auth/verify?code=nbv_unknown");
    await page.context().clearCookies();
    await page.getByRole("button", { name: "Confirm my email" }).click();
  },

  async "Your time has run out"(page, app) {
    await addPendingCookies(page.context(), app.url, { nodebeat_recovery: { token: "nbc_unknown" } });
    await page.goto("/auth/reset-password");
    await page.getByLabel("New password").fill("a long pass phrase");
    await page.getByRole("button", { name: "Save password" }).click();
  },

  async "This request has expired"(page, app) {
    const resend = { state: "INITIAL", timestamp: Date.now() - 120_000, duration: 60_000 };
    const reset = { resetToken: "nbr_unknown", email: "member@nodebeat.test", ...resend };
    await addPendingCookies(page.context(), app.url, { nodebeat_reset: reset });
    await press(page, "/auth/forgot-password", "Send another email");
  },

  async "Too many attempts"(page) {
    const data = { token: "nbv_unknown" };
    for (const _ of Array.from({ length: 3 })) {
      await Promise.all(Array.from({ length: 10 }, () => page.request.post("/api/auth/verify", { data })));
    }
    await press(page, "/auth/verify?code=nbv_unknown", "Confirm my email");
  },
};

/** Signs up twice with one address; the second sign-up creates the member. Returns both emails. */
async function signUpTwice(page: Page, app: RunningApp) {
  const email = `${crypto.randomUUID()}@nodebeat.test`;
  const mails = [];
  for (const count of [1, 2]) {
    await page.goto("/auth/signup");
    await sendForm(page, { Email: email, Password: "a long pass phrase" }, "Create account", "Confirm your email");
    mails.push(await app.seed.mail(email, count));
  }
  const [first, second] = mails;
  if (!first || !second) throw new Error("Two mails were awaited");
  await sendCode(page, second.code ?? "");
  await expect(page).toHaveURL("/dashboard");
  return [first, second] as const;
}

async function expectDeadEnd(page: Page, title: string) {
  await expect(page.getByRole("heading", { name: title })).toBeFocused();
  await expect(page).toHaveTitle(`${title} · Nodebeat`);
  await expectNoFindings(page);
}

for (const [title, arrive] of Object.entries(DEAD_ENDS)) {
  test(`the page that says "${title}" passes axe, focuses its heading and has the same document title`, async ({
    page,
    app,
  }) => {
    await arrive(page, app);
    await expectDeadEnd(page, title);
  });
}

test("the links of two sign-ups with one address lead to pages that pass axe and focus their heading", async ({
  page,
  app,
}) => {
  const [first, second] = await signUpTwice(page, app);
  await forgetMember(page);
  await press(page, pathOf(first.link), "Confirm my email");
  await expectDeadEnd(page, "This address already has an account");
  await press(page, pathOf(second.link), "Confirm my email");
  await expectDeadEnd(page, "Your email is already confirmed");
});
