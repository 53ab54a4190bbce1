import type { SeededMember } from "../../support/app-process.ts";
import { hasWebKit, withWebKit } from "../../support/engines/start-webkit.ts";
import type { EngineBrowser } from "../../support/engines/webdriver.ts";
import { expect, test } from "../fixtures.ts";

// A browser of its own starts with each test, which takes its time on a busy machine.
test.describe.configure({ timeout: 120_000 });
// Playwright has no WebKit of Debian's: this one is driven by hand, and pressed with the mouse where things stand.
test.skip(!hasWebKit, "Needs WebKit: see tests/support/engines/install-webkit.mjs.");

const OPEN_DIALOG = `document.querySelector("dialog[open]")`;
const DATES = `document.querySelector("#points-log-dates:popover-open")`;
const heightOf = (element: string) => `${element}.getBoundingClientRect().height`;
const isAt = (path: string) => `document.readyState === "complete" && location.pathname === "${path}"`;

for (const javaScript of [true, false]) {
  test(`in WebKit a member's presses reach what they see, ${javaScript ? "with" : "without"} JavaScript`, async ({
    app,
  }) => {
    const member = await app.seed.member({});
    await app.seed.post(member.userId, [
      { category: "Rewards", points: 250, comment: "Follow us on X" },
      { category: "Referral", points: 1000, comment: "A friend joined" },
    ]);
    await withWebKit({ javaScript }, async (browser) => {
      await signIn(browser, app.url, member);
      await walkTheSidebar(browser);
      await changeTheTheme(browser);
      await openAnEntry(browser);
      await openTheDates(browser);
      if (javaScript) await leaveByDialog(browser);
      else await leaveByPage(browser);
    });
  });
}

async function signIn(browser: EngineBrowser, url: string, { email, password }: SeededMember) {
  await browser.goto(`${url}/auth`);
  await browser.click("[name=email]");
  await browser.type(email);
  await browser.click("[name=password]");
  await browser.type(password);
  await browser.key("Enter");
  await browser.wait(isAt("/dashboard"));
}

/** The first screen, which nothing may cover. */
async function walkTheSidebar(browser: EngineBrowser) {
  await browser.click("nav a", "Referrals");
  await browser.wait(isAt("/referrals"));
  await browser.click("nav a", "Dashboard");
  await browser.wait(isAt("/dashboard"));
}

async function changeTheTheme(browser: EngineBrowser) {
  await browser.click("header button[aria-label='Use the dark theme']");
  await browser.wait(`document.documentElement.dataset.theme === "dark" && ${isAt("/dashboard")}`);
}

/** A row's link is as wide as the row, and no wider. */
async function openAnEntry(browser: EngineBrowser) {
  await browser.click("tr[id^=entry-]:nth-child(2) td:last-child");
  await browser.wait(`document.querySelector("tr[id^=why-]")?.previousElementSibling.sectionRowIndex === 1`);
  await browser.wait(isAt("/dashboard"));
}

async function openTheDates(browser: EngineBrowser) {
  await browser.click("[popovertarget=points-log-dates]");
  await browser.wait(`${DATES} !== null`);
  expect(await browser.read<number>(heightOf(DATES))).toBeLessThan(300);
  await browser.key("Escape");
  await browser.wait(`${DATES} === null`);
}

async function leaveByDialog(browser: EngineBrowser) {
  await browser.click("nav a", "Log out");
  await browser.wait(`${OPEN_DIALOG} !== null`);
  expect(await browser.read<number>(heightOf(OPEN_DIALOG))).toBeLessThan(200);
  await browser.click("dialog button", "Cancel");
  await browser.wait(`${OPEN_DIALOG} === null`);

  await browser.click("nav a", "Log out");
  await browser.wait(`${OPEN_DIALOG} !== null`);
  await browser.click("dialog h2");
  expect(await browser.read(`${OPEN_DIALOG} !== null`)).toBe(true);
  await browser.press({ x: 20, y: 20 });
  await browser.wait(`${OPEN_DIALOG} === null`);

  await browser.click("nav a", "Log out");
  await browser.click("dialog button", "Log out");
  await browser.wait(isAt("/auth"));
}

async function leaveByPage(browser: EngineBrowser) {
  await browser.click("nav a", "Log out");
  await browser.wait(isAt("/auth/logout"));
  await browser.click("main a", "Cancel");
  await browser.wait(isAt("/dashboard"));
  await browser.click("nav a", "Log out");
  await browser.wait(isAt("/auth/logout"));
  await browser.click("main button", "Log out");
  await browser.wait(isAt("/auth"));
}
