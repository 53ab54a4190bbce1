import type { SeededMember } from "../../support/app-messages.ts";
import { ENGINE_NAMES, hasEngine, withEngine } from "../../support/engines/engines.ts";
import type { Tab } from "../../support/engines/tab.ts";
import type { RunningApp } from "../../support/servers/start-app.ts";
import { pointAtEach, pressEach } from "../every-control.ts";
import { expect, FAILED_RESOURCE, test } from "../fixtures.ts";

/*
 * One long journey in each engine that the other journeys do not use, because a browser takes long to start. Clicks go
 * to where things are on the screen.
 */
const OTHERS = ENGINE_NAMES.filter((name) => name !== "Chromium");

const OPEN_DIALOG = `document.querySelector("dialog[open]")`;
const DATES = `document.querySelector("#points-log-dates:popover-open")`;
const heightOf = (element: string) => `${element}.getBoundingClientRect().height`;
const FOCUSED = "document.activeElement";
/** Whether the focused element shows its focus. WebKit also marks one part of a date. */
const IS_MARKED = `getComputedStyle(${FOCUSED}).outlineStyle === "solid"`;
const TOTAL = `document.querySelector("header b").innerText`;

/** Where a walk through the product takes place, and whether scripts run. */
type Walk = { tab: Tab; app: RunningApp; javaScript: boolean };

/** Short, because WebKit takes its time for the press and release of each letter. */
const newAddress = () => `${crypto.randomUUID().slice(0, 8)}@nodebeat.test`;

for (const name of OTHERS)
  for (const javaScript of [true, false])
    test(`a member can click through the product in ${name} ${javaScript ? "with" : "without"} JavaScript`, async ({
      app,
    }, testInfo) => {
      test.skip(!hasEngine(name), `Needs ${name}: see tests/install/engines.mjs.`);
      const member = await seedMember(app);
      await withEngine(name, { javaScript }, async (tab, problems) => {
        try {
          await walk({ tab, app, javaScript }, member);
        } catch (error) {
          await tab.shot(testInfo.outputPath("tab.png"));
          throw error;
        }
        const unexpected = problems.filter((text) => !FAILED_RESOURCE.test(text));
        expect(unexpected, "no error in a page").toEqual([]);
      });
    });

async function seedMember(app: RunningApp) {
  const member = await app.seed.member({ email: newAddress(), accepted: ["tos"] });
  await app.seed.post(member.userId, [
    { category: "Rewards", points: 250, comment: "Follow us on X" },
    { category: "Others", points: 10, comment: "Thank you" },
  ]);
  await app.seed.friend(member.userId, { heartbeats: 100, wallet: true });
  return member;
}

async function walk(here: Walk, member: SeededMember) {
  await signUp(here);
  await putOffTheQuestion(here);
  await logOut(here);
  await signIn(here, member);
  await answerTheQuestion(here);
  await pressEveryControl(here);
  await skipToTheContent(here);
  await changeTheTheme(here);
  await openAnEntry(here);
  await openTheDates(here);
  await claimForAFriend(here);
  await introduceOneself(here);
  await changeTheEmail(here, member);
  if (here.javaScript) await watchPointsArrive(here, member);
  else await blockAnother(here, member);
  await leaveInAnotherTab(here);
}

/** Waits until a page has loaded and, if scripts run, is hydrated. */
async function arrive({ tab, javaScript }: Walk, path: string) {
  await tab.isAt(path);
  const listens = `Object.keys(document.querySelector("main *") ?? {}).some((key) => key.startsWith("__reactProps"))`;
  if (javaScript) await tab.wait(listens);
}

async function signUp(here: Walk) {
  const { tab, app } = here;
  const email = newAddress();
  await tab.goto(`${app.url}/auth/signup`);
  await arrive(here, "/auth/signup");
  await tab.fill("[name=email]", email);
  await tab.fill("[name=password]", "a pass phrase of mine");
  await tab.click("button", "Create account");
  await arrive(here, "/auth/verify");
  const { code = "" } = await app.seed.mail(email);
  await tab.fill("[autocomplete=one-time-code]", code);
  await tab.click("button", "Confirm");
  await arrive(here, "/dashboard");
}

/**
 * Clicks outside the dialog, after a click inside it that must not close it. Without scripts, uses its close button.
 */
async function putOffTheQuestion({ tab, javaScript }: Walk) {
  await tab.wait(`${OPEN_DIALOG}?.matches(":modal") === ${javaScript}`);
  expect(await tab.read<number>(heightOf(OPEN_DIALOG))).toBeLessThan(500);
  await tab.click("dialog[open] h2");
  expect(await tab.read(`${OPEN_DIALOG} !== null`)).toBe(true);
  if (javaScript) await tab.press({ x: 20, y: 450 });
  else await tab.click("dialog[open] [aria-label=Close]");
  await tab.wait(`${OPEN_DIALOG} === null`);
}

/** Logs out through a dialog, or through the page that does the same. Cancels once before. */
async function logOut(here: Walk) {
  const { tab, javaScript } = here;
  const [asked, where] = javaScript
    ? [() => tab.wait(`${OPEN_DIALOG} !== null`), "dialog[open]"]
    : [() => tab.isAt("/auth/logout"), "main"];
  await tab.click("nav a", "Log out");
  await asked();
  if (javaScript) expect(await tab.read<number>(heightOf(OPEN_DIALOG))).toBeLessThan(200);
  await tab.click(`${where} :is(a, button)`, "Cancel");
  await tab.wait(`${OPEN_DIALOG} === null`);
  await arrive(here, "/dashboard");
  if (javaScript) await tab.wait(`${FOCUSED}.innerText.trim() === "Log out"`);
  await tab.click("nav a", "Log out");
  await asked();
  await tab.click(`${where} button`, "Log out");
  await arrive(here, "/auth");
}

async function signIn(here: Walk, { email, password }: SeededMember) {
  await here.tab.fill("[name=email]", email);
  await here.tab.fill("[name=password]", password);
  await here.tab.key("Enter");
  await arrive(here, "/dashboard");
}

async function answerTheQuestion(here: Walk) {
  await here.tab.click("dialog[open] [name=accept]");
  await here.tab.click("dialog[open] button", "Continue");
  await here.tab.wait(`${OPEN_DIALOG} === null`);
  await arrive(here, "/dashboard");
}

async function pressEveryControl(here: Walk) {
  const { tab, app, javaScript } = here;
  const { wanted, met } = javaScript ? await pressEach(tab) : await pointAtEach(tab);
  expect(wanted.length).toBeGreaterThan(20);
  expect(met).toEqual(wanted);
  await tab.goto(`${app.url}/dashboard`);
  await arrive(here, "/dashboard");
}

async function skipToTheContent({ tab }: Walk) {
  await tab.key("Tab");
  await tab.wait(`${FOCUSED}.matches("[href='#main']") && ${IS_MARKED} && ${FOCUSED}.getBoundingClientRect().top > 0`);
  await tab.key("Enter");
  await tab.wait(`${FOCUSED}.id === "main"`);
  await tab.key("Tab");
  await tab.wait(`${FOCUSED}.closest("main") && ${IS_MARKED}`);
}

async function changeTheTheme(here: Walk) {
  await here.tab.click("header [aria-label='Use the dark theme']");
  await here.tab.wait(`document.documentElement.dataset.theme === "dark"`);
  await arrive(here, "/dashboard");
}

/** A row's link is exactly as wide as the row. */
async function openAnEntry(here: Walk) {
  await here.tab.click("tr[id^=entry-]:nth-child(2) td:last-child");
  await here.tab.wait(`document.querySelector("tr[id^=why-]")?.previousElementSibling.sectionRowIndex === 1`);
  await arrive(here, "/dashboard");
}

/**
 * Closes a popover by a key, which returns the focus, and by a click outside. It is visible wherever its button was
 * scrolled to, and the keyboard continues in it.
 */
async function openTheDates({ tab }: Walk) {
  const ways = [
    {
      block: "start",
      close: async () => {
        await tab.key("Escape");
        await tab.wait(`${FOCUSED}.matches("[popovertarget]") && ${IS_MARKED}`);
      },
    },
    { block: "center", close: () => tab.click("main h2") },
  ] as const;
  for (const { block, close } of ways) {
    await tab.click("[popovertarget=points-log-dates]", undefined, block);
    await tab.wait(`${DATES}?.getBoundingClientRect().top >= 0`);
    expect(await tab.read<number>(heightOf(DATES))).toBeLessThan(350);
    for (const next of ["7 days", "30 days", "90 days", ""]) {
      await tab.key("Tab");
      await tab.wait(`${DATES}?.contains(${FOCUSED}) && ${FOCUSED}.innerText === "${next}" && ${IS_MARKED}`);
    }
    await close();
    await tab.wait(`${DATES} === null`);
  }
}

/** Opens the page through the command menu, if there is one. */
async function claimForAFriend(here: Walk) {
  const { tab, javaScript } = here;
  if (javaScript) {
    await tab.click("[aria-label=Commands]");
    await tab.wait(`document.activeElement.role === "combobox"`);
    await tab.type("refe");
    await tab.key("Enter");
  } else await tab.click("nav a", "Referrals");
  await arrive(here, "/referrals");
  await tab.click("td button", "Claim");
  await tab.wait(
    `[...document.querySelectorAll("main output")].some((output) => output.innerText.startsWith("You claimed"))`,
  );
}

async function introduceOneself(here: Walk) {
  await here.tab.click("nav a", "Profile");
  await arrive(here, "/profile");
  await here.tab.fill("[name=full_name]", "Ada Lovelace");
  await here.tab.click("#details button", "Save");
  await here.tab.wait(`document.body.innerText.includes("Your details have been saved.")`);
  await here.tab.wait(`document.querySelector("aside").innerText.includes("Ada Lovelace")`);
}

async function changeTheEmail(here: Walk, { password }: SeededMember) {
  const { tab, app } = here;
  const email = newAddress();
  await tab.click("#password a", "Change email");
  // The profile, which may stay for a moment longer than its address, has such fields as well.
  await tab.fill("#email [name=email]", email);
  await tab.fill("#email [name=password]", password);
  await tab.click("#email button", "Send a code");
  await tab.wait(`document.querySelector("[name=verificationCode]") !== null`);
  const { code = "" } = await app.seed.mail(email);
  await tab.fill("[name=verificationCode]", code);
  await tab.click("#email button", "Change email");
  await arrive(here, "/profile");
  await tab.wait(
    `document.querySelector("#password").innerText.includes("You sign in with your new email from now on.")`,
  );
}

async function watchPointsArrive({ tab, app }: Walk, { userId }: SeededMember) {
  const before = await tab.read<string>(TOTAL);
  await app.seed.post(userId, [{ category: "Others", points: 40_000, comment: "A gift" }]);
  await tab.wait(`${TOTAL} !== ${JSON.stringify(before)} && /^4\\d\\.\\d{3}$/.test(${TOTAL})`);
}

/**
 * Blocks another member, as a member who has just become an administrator. Administration pages have no scripts in any
 * browser.
 */
async function blockAnother(here: Walk, { userId }: SeededMember) {
  const { tab, app } = here;
  const ada = await app.seed.member({ email: newAddress() });
  await app.seed.administrator(userId);
  await tab.goto(`${app.url}/admin/members`);
  await tab.fill("[type=search]", ada.email);
  await tab.click("button", "Search");
  // Before a search, the page lists the latest members.
  await tab.see("main h2", "Found");
  await tab.click("main a", ada.email);
  await tab.isAt(`/admin/members/${ada.userId}`);
  await tab.click("summary", "Block the member");
  await tab.fill("#block [name=reason]", "Sells points");
  await tab.click("#block button", "Block the member");
  await tab.wait(`document.body.innerText.includes("The member is blocked")`);
  await tab.goto(`${app.url}/profile`);
  await arrive(here, "/profile");
}

/** A hydrated page leaves by itself; others leave with the next click. */
async function leaveInAnotherTab(here: Walk) {
  const { tab, app, javaScript } = here;
  const other = await tab.tab();
  await other.goto(`${app.url}/auth/logout`);
  await arrive({ ...here, tab: other }, "/auth/logout");
  await other.click("main button", "Log out");
  await other.isAt("/auth");
  if (!javaScript) await tab.click("nav a", "Rewards");
  await tab.isAt("/auth");
}
