import { expect, test } from "vitest";
import { documentTitle, pageTitle } from "./page-title.ts";

test.each([
  ["/dashboard", "Dashboard"],
  ["/agentinsights", "Agent Insights"],
  ["/rewards", "Rewards"],
  ["/referrals", "Your Referrals"],
  ["/profile", "Profile"],
  ["/faqs", "Help & FAQs"],
  ["/faqs/", "Help & FAQs"],
  ["/terms", "Terms of Service"],
  ["/terms/1", "Terms of Service"],
  ["/privacy/2", "Privacy Policy"],
  ["/auth/forgot-password", "Forgot Password"],
])("the header of %s reads %s", (path, title) => {
  expect(pageTitle(path)).toBe(title);
});

test.each([
  ["/dashboard", "Dashboard · Nodebeat"],
  ["/auth/logout", "Log out · Nodebeat"],
  ["/terms/1", "Terms of Service · Nodebeat"],
  ["/", "Nodebeat"],
])("the document of %s is called %s", (path, title) => {
  expect(documentTitle(path)).toBe(title);
});
