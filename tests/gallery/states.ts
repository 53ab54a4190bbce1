import type { SeedMember } from "../support/app-messages.ts";
import type { Person } from "../support/seeds/showcase.ts";
import type { Size } from "../support/engines/tab.ts";
import { ADMINISTRATION } from "./administration-states.ts";
import type { Tab } from "./open-tab.ts";
import { PROFILE } from "./profile-states.ts";

/** A state of a page beyond what it shows when opened. */
export type State = {
  /** The page it belongs to, as in the routes. */
  page: string;
  name: string;
  /** The person who sees it, or a member to create for it. */
  person: Person | SeedMember;
  /** The address to open, if not the page's own. */
  address?: string;
  /** The window sizes, if not the usual ones. */
  sizes?: readonly Size[];
  /** Set if it needs JavaScript. */
  scripted?: true;
  /** Brings the state about. Without it the address does, and the whole page is shown. */
  show?: (tab: Tab) => Promise<unknown>;
};

/** Dialogs, menus, open panels, errors, and states that are empty, ended or offline. */
export const STATES: readonly State[] = [
  ...refusals(),
  ...searches(),
  ...panels(),
  ...dialogs(),
  ...PROFILE,
  ...ADMINISTRATION,
  offline("/auth", "Visitor"),
  offline("/dashboard", "Full member"),
];

/** States of forms that refuse what was typed. */
function refusals(): State[] {
  const PASSWORD = "a long pass phrase";
  return [
    {
      page: "/auth",
      name: "Wrong password",
      person: "Visitor",
      async show(tab) {
        await tab.fill("[name=email]", "nobody@nodebeat.test");
        await tab.fill("[name=password]", PASSWORD);
        await tab.click("main button", "Sign in");
        await tab.see("[name=password][aria-invalid=true]");
      },
    },
    {
      page: "/auth/signup",
      name: "Short password",
      person: "Visitor",
      scripted: true,
      async show(tab) {
        await tab.fill("[name=email]", "nobody");
        await tab.fill("[name=password]", "short");
        await tab.click("main button", "Create account");
        await tab.see("[name=password][aria-invalid=true]");
      },
    },
    {
      page: "/auth/signup",
      name: "Invalid referral code",
      person: "Visitor",
      address: "/auth/signup?referralCode=abc",
      show: (tab) => tab.see("main"),
    },
    {
      page: "/auth/verify",
      name: "Code to type, and a wrong one",
      person: "Visitor",
      address: "/auth/signup",
      async show(tab) {
        await tab.fill("[name=email]", `${crypto.randomUUID()}@nodebeat.test`);
        await tab.fill("[name=password]", PASSWORD);
        await tab.click("main button", "Create account");
        await tab.fill("[autocomplete=one-time-code]", "000000");
        await tab.click("main button", "Confirm");
        await tab.see("[autocomplete=one-time-code][aria-invalid=true]");
      },
    },
    pressed(
      { page: "/auth/verify", name: "Expired link", address: "/auth/verify?code=nbv_unknown" },
      "Confirm my email",
    ),
    {
      page: "/auth/forgot-password",
      name: "Mail on its way",
      person: "Visitor",
      async show(tab) {
        await tab.fill("[name=email]", "nobody@nodebeat.test");
        await tab.click("main button", "Send the link");
        await tab.see("main h1", "Check your email");
      },
    },
    pressed(
      { page: "/auth/reset-password", name: "Expired link", address: "/auth/reset-password?token=nbl_unknown" },
      "Choose a new password",
    ),
  ];
}

/** Returns the state of a page after its only button was pressed. */
function pressed(state: Pick<State, "page" | "name" | "address">, button: string): State {
  return {
    ...state,
    person: "Visitor",
    async show(tab) {
      await tab.click("main button", button);
      await tab.see("main h1[tabindex]");
    },
  };
}

/** States that an address brings about. */
function searches(): State[] {
  const asked: [person: Person, name: string, address: string][] = [
    ["Visitor", "Search", "/faqs?q=wallet"],
    ["Visitor", "Search without a hit", "/faqs?q=zebra"],
    ["Visitor", "One version", "/terms/1"],
    ["Visitor", "Link of a mail", "/node-mail?code=x"],
    ["Full member", "90 days", "/dashboard?range=90"],
    ["Full member", "Nothing on these dates", "/dashboard?endDate=2020-01-01"],
    ["Full member", "Dates that make no sense", "/dashboard?startDate=20.11.2026"],
    ["Full member", "Fourth page", "/dashboard?page=4"],
    ["Full member", "25 rows", "/referrals?limit=25"],
    ["Full member", "Link of a campaign's mail", "/rewards?unsubscribe=1"],
  ];
  return asked.map(([person, name, address]) => {
    const { pathname } = new URL(address, "http://any.test");
    return { page: pathname.replace(/\/\d+$/, ""), name, person, address };
  });
}

/** Menus, popovers, and what opens within a page. */
function panels(): State[] {
  const dashboard = { page: "/dashboard", person: "Full member" } as const;
  return [
    { ...dashboard, name: "Dates", show: (tab) => tab.click("[popovertarget=points-log-dates]") },
    {
      ...dashboard,
      name: "Open entry",
      async show(tab) {
        await tab.click("tr[id^=entry-] a");
        await tab.see("tr[id^=why-] dl");
      },
    },
    {
      ...dashboard,
      name: "Commands",
      scripted: true,
      async show(tab) {
        await tab.key("Control+k");
        await tab.see("dialog[open] [role=option]");
      },
    },
    {
      ...dashboard,
      name: "Keyboard shortcuts",
      scripted: true,
      async show(tab) {
        await tab.key("Control+k");
        await tab.fill("dialog[open] [role=combobox]", "shortcuts");
        await tab.key("Enter");
        await tab.see("dialog[open] h2", "Keyboard shortcuts");
      },
    },
    {
      page: "/agentinsights",
      name: "Command to start a node",
      person: {},
      async show(tab) {
        await tab.click("#start-node button", "Create a key and show the command");
        await tab.see("#start-node figure code");
      },
    },
    {
      ...dashboard,
      name: "Collapsed sidebar",
      async show(tab) {
        await tab.setCookie("sidebar_state", "false");
        await tab.goto("/dashboard");
      },
    },
    { ...dashboard, name: "Small window", sizes: [{ width: 600, height: 800 }], show: (tab) => tab.see("h1") },
  ];
}

/** Presses a control, and waits for the dialog it opens, or for the last part of it. */
function open(control: string, text?: string, last = "dialog[open] h2") {
  return async (tab: Tab) => {
    await tab.click(control, text);
    await tab.see(last);
  };
}

function dialogs(): State[] {
  const scripted = true;
  return [
    {
      page: "/dashboard",
      name: "Updated Terms of Service",
      person: { whitelisted: true, accepted: [] },
      show: (tab) => tab.see("dialog[open] h2"),
    },
    {
      page: "/dashboard",
      name: "Updated Privacy Policy",
      person: { accepted: ["tos"] },
      show: (tab) => tab.see("dialog[open] h2"),
    },
    { page: "/dashboard", name: "Log out", person: "Full member", scripted, show: open("nav a", "Log out") },
    {
      page: "/dashboard",
      name: "Machine ID Requirements",
      person: "New member",
      scripted,
      show: open("header a", "Create Smart Account"),
    },
    {
      page: "/dashboard",
      name: "Machine ID Status",
      person: "Full member",
      scripted,
      show: open("header a[href*=identity]", undefined, "dialog[open] [aria-label=History]"),
    },
    {
      page: "/profile",
      name: "Connect a wallet, without one",
      person: "New member",
      scripted,
      show: open("main button", "Connect wallet", "dialog[open] a"),
    },
  ];
}

function offline(page: string, person: Person): State {
  return { page, person, name: "Offline", scripted: true, show: (tab) => tab.loseNetwork() };
}
