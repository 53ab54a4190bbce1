import { expect, type Page } from "@playwright/test";

/** The headings of the pages, by path. */
const HEADINGS: Record<string, string> = {
  "/auth": "Sign in",
  "/auth/signup": "Create an account",
  "/auth/verify": "Confirm your email",
  "/auth/forgot-password": "Forgot password",
  "/auth/reset-password": "Choose a new password",
  "/auth/logout": "Are you sure you want to log out?",
  "/faqs": "Help & FAQs",
  "/terms": "Terms of Service",
  "/terms/1": "Terms of Service",
  "/privacy": "Privacy Policy",
  "/node-mail": "Node Mail",
  "/campaign-mail": "Campaign Mail",
  "/dashboard": "Dashboard",
  "/agentinsights": "Agent Insights",
  "/rewards": "Rewards",
  "/referrals": "Your Referrals",
  "/profile": "Profile",
  "/profile/email": "Change email",
  "/profile/delete": "Delete account",
  "/status": "Status",
  "/no-such-page": "This page does not exist",
};

/**
 * Opens a page, and checks that it is shown, and not another page or an error. If its heading differs at the moment,
 * give it.
 */
export async function visit(page: Page, path: string, heading?: string) {
  const { pathname } = new URL(path, "http://any.test");
  const response = await page.goto(path);
  expect(response?.status(), path).toBe(pathname === "/no-such-page" ? 404 : 200);
  await expect(page).toHaveURL(path);
  const name = heading ?? HEADINGS[pathname] ?? "a page that has no heading in tests/e2e/visit.ts";
  await expect(page.getByRole("heading", { level: 1, name, exact: true })).toBeVisible();
}
