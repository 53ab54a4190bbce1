import { renderToStaticMarkup } from "react-dom/server";
import { createRoutesStub } from "react-router";
import { expect, test } from "vitest";
import { AppShell } from "./app-shell.tsx";
import type { ShellMember } from "./shell-member.ts";
import { useSidebar } from "./sidebar/sidebar-context.tsx";

const member: ShellMember = { onboarded: true, whitelisted: false, points: 48_213.5, wallet: null };

function renderShell(shown: ShellMember | null, path = "/rewards") {
  const Page = () => (
    <AppShell member={shown} sidebarOpen>
      page
    </AppShell>
  );
  const Stub = createRoutesStub([{ path: "*", Component: Page }]);
  const html = renderToStaticMarkup(<Stub initialEntries={[path]} />);
  const nav = html.slice(html.indexOf('<nav aria-label="Main"'), html.indexOf("</nav>"));
  const links = Array.from(nav.matchAll(/<a ([^>]*)>.*?<\/svg><span>([^<]+)/g), ([, attributes = "", name]) => ({
    name: name?.replace("&amp;", "&"),
    href: attributes.match(/href="([^"]+)"/)?.[1],
    disabled: attributes.includes('aria-disabled="true"'),
    current: attributes.includes('aria-current="page"'),
  }));
  return { html, links };
}

// specification: 2.25, 2.27
test("the sidebar lists the pages in order and marks the current one", () => {
  const { links } = renderShell(member);
  expect(links.map(({ name, href }) => `${name} ${href}`)).toEqual([
    "Dashboard /dashboard",
    "Agent Insights /agentinsights",
    "Rewards /rewards",
    "Referrals /referrals",
    "Profile /profile",
    "Help & FAQs /faqs",
    "Log out /auth/logout",
  ]);
  expect(links.filter(({ current }) => current).map(({ name }) => name)).toEqual(["Rewards"]);
  expect(links.some(({ disabled }) => disabled)).toBe(false);
});

// specification: 2.26, 4.12, 6.5
test("before onboarding, the first five sidebar links are disabled and say why", () => {
  const { html, links } = renderShell({ ...member, onboarded: false });
  const leadNowhere = links.map(({ href, disabled }) => disabled && href === undefined);
  expect(leadNowhere).toEqual([true, true, true, true, true, false, false]);
  expect(html).toContain("Available once your account is set up");
});

// specification: 1.10, 1.11, 6.6
test("members of the test network see its label", () => {
  expect(renderShell(member).html).toContain(">BETA<");
  expect(renderShell({ ...member, whitelisted: true }).html).toContain(">TESTNET<");
});

test("a visitor sees a sign-in link, and neither points nor the log-out dialog", () => {
  const { html, links } = renderShell(null, "/faqs");
  expect(html).toContain("Sign in to open this page");
  expect(html).not.toContain("Available once your account is set up");
  expect(links.at(-1)).toMatchObject({ name: "Sign in", href: "/auth" });
  expect(html).not.toContain("Are you sure you want to log out?");
  expect(html).not.toContain("PTS");
});

// specification: 2.36, 2.38, 2.40, 9.10, 9.11
test("the header shows the title, the points and the short address of the wallet", () => {
  const { html } = renderShell({ ...member, wallet: "0x7aF3c1e2a8b4d6f091c2e3a4b5c6d7e8f9a091bE" }, "/referrals");
  expect(html).toContain(">Your Referrals</h1>");
  expect(html).toContain(">48.213,5<");
  expect(html).toContain(">0x7aF3…91bE<");
});

test("renders no inline styles, which the content security policy would block", () => {
  expect(renderShell(member).html).not.toMatch(/ style="|<style/);
});

const Outside = () => <p>{String(useSidebar().open)}</p>;

// specification: 8.9
test("useSidebar throws outside its provider", () => {
  expect(() => renderToStaticMarkup(<Outside />)).toThrow("useSidebar must be used within a SidebarProvider.");
});
