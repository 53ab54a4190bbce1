import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium, type BrowserContext } from "@playwright/test";
import lighthouse, { desktopConfig, type Config, type Flags, type Result } from "lighthouse";
import { chromiumOptions } from "../support/pages/chromium.mjs";
import { seedPeople } from "../support/seeds/showcase.ts";
import { PAGE_ADDRESSES } from "../support/pages/shown-pages.ts";
import { startApp } from "../support/servers/start-app.ts";
import { readOptions } from "../support/command-options.ts";

/* What Lighthouse reports about every page. Its timings are meaningful only on a machine that does nothing else. */

const CATEGORIES = ["performance", "accessibility", "best-practices", "seo"];
/** Limits on Lighthouse's mobile profile: slow 4G, and a processor that is four times slower. */
const MAX_LCP_MS = 1800;
const MAX_INP_MS = 150;
const SLOWDOWN = 4;
/** How many presses to measure, because one may take twice as long as another on the same page. */
const PRESSES = 5;
/** The control for the first press: every page has it, and it changes everything visible. */
const FIRST_PRESS = "header button[aria-label*=theme]";

const USAGE = `What Lighthouse says of every page (after a build).

  npm run bench:lighthouse                                  every page
  npm run bench:lighthouse -- --pages /auth,/dashboard      these`;

const { values } = readOptions(USAGE, { options: { pages: { type: "string" } } });
const asked = values.pages?.split(",") ?? PAGE_ADDRESSES;

const app = await startApp({ isMeasured: true });
const profile = mkdtempSync(join(tmpdir(), "nodebeat-lighthouse-"));
const context = await chromium.launchPersistentContext(profile, {
  args: ["--no-sandbox", "--disable-gpu", "--remote-debugging-port=0"],
  ...chromiumOptions(),
});
const port = Number(readFileSync(join(profile, "DevToolsActivePort"), "utf8").split("\n")[0]);

try {
  const { "Full member": member } = await seedPeople(app);
  const administrator = await app.seed.member({ administrator: true });
  const members = [member, administrator].flatMap((each) => (each ? [[{ ...each.cookie, url: app.url }]] : []));
  const sessions = [[], ...members, await openMailedLink()];
  for (const path of asked) {
    const session = await findSession(path, sessions);
    // Lighthouse refuses pages that respond with an error, and cannot measure a page that redirects.
    if (session) await measure(path, session);
    else console.log(`${path.padEnd(22)} not measured: it leads elsewhere, or is an error`);
  }
} finally {
  await context.close();
  await app.close();
  rmSync(profile, { recursive: true, force: true });
}

type Cookies = Parameters<BrowserContext["addCookies"]>[0];

/** Returns the cookies of a visitor who has opened a mailed link for a new password. */
async function openMailedLink(): Promise<Cookies> {
  const { headers } = await fetch(`${app.url}/auth/reset-password?token=nbl_unknown`, { redirect: "manual" });
  return headers.getSetCookie().map((header) => {
    const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(header) ?? [];
    return { name, value, url: app.url };
  });
}

/** Returns the first of these sessions that is shown the page. Visitors come before members. */
async function findSession(path: string, sessions: Cookies[]): Promise<Cookies | undefined> {
  for (const session of sessions) {
    const cookie = session.map(({ name, value }) => `${name}=${value}`).join("; ");
    const { status } = await fetch(app.url + path, { redirect: "manual", headers: { Cookie: cookie } });
    if (status === 200) return session;
  }
  return undefined;
}

async function measure(path: string, session: Cookies) {
  for (const theme of ["light", "dark"]) {
    await keepOnly([...session, { name: "theme", value: theme, url: app.url }]);
    reportScores(`${path.padEnd(22)} ${theme.padEnd(8)}`, await run(path, desktopConfig));
  }
  // Shows the page itself, instead of the card that covers it in a small window.
  await keepOnly([...session, { name: "mobile_continued", value: "true", url: app.url }]);
  const { audits } = await run(path);
  const millisecondsOf = (audit: string) => audits[audit]?.numericValue ?? Infinity;
  const lcp = millisecondsOf("largest-contentful-paint");
  const shift = millisecondsOf("cumulative-layout-shift");
  // Pages without scripts respond to a press with the next document.
  const inp = isScripted(audits) ? await measureFirstPresses(path) : 0;
  const words = `LCP ${(lcp / 1000).toFixed(2)} s  INP ${inp.toFixed(0)} ms  CLS ${shift}`;
  report(`${path.padEnd(22)} ${"slow 4G".padEnd(8)}`, words, lcp <= MAX_LCP_MS && inp <= MAX_INP_MS && shift === 0);
}

function isScripted({ "network-requests": requests }: Result["audits"]): boolean {
  if (requests?.details?.type !== "table") return true;
  return requests.details.items.some(({ resourceType }) => resourceType === "Script");
}

/** Returns the median of several presses. */
async function measureFirstPresses(path: string): Promise<number> {
  const presses: number[] = [];
  for (let count = 0; count < 2 * PRESSES && presses.length < PRESSES; count++) {
    presses.push(...(await measureFirstPress(path)));
  }
  if (presses.length < PRESSES) throw new Error(`${path} responds to presses as if it had no scripts.`);
  return presses.toSorted((a, b) => a - b)[Math.floor(PRESSES / 2)] ?? Infinity;
}

async function keepOnly(cookies: Cookies) {
  await context.clearCookies();
  await context.addCookies(cookies);
}

async function run(path: string, config?: Config): Promise<Result> {
  const flags: Flags = {
    port,
    logLevel: "error",
    onlyCategories: CATEGORIES,
    // Live events never end: with them the network would never be idle.
    blockedUrlPatterns: [`${app.url}/live`],
  };
  const result = await lighthouse(app.url + path, flags, config);
  if (!result) throw new Error(`Lighthouse says nothing of ${path}.`);
  const { finalDisplayedUrl, runtimeError } = result.lhr;
  if (runtimeError) throw new Error(`${path}: ${runtimeError.message}`);
  if (new URL(finalDisplayedUrl).pathname !== path) throw new Error(`${path} led to ${finalDisplayedUrl}.`);
  return result.lhr;
}

function reportScores(what: string, { audits, categories }: Result) {
  const scores = CATEGORIES.map((id) => `${id} ${Math.round((categories[id]?.score ?? 0) * 100)}`);
  const shift = audits["cumulative-layout-shift"]?.numericValue ?? Infinity;
  const isPerfect = shift === 0 && CATEGORIES.every((id) => categories[id]?.score === 1);
  report(what, `${scores.join("  ")}  CLS ${shift}`, isPerfect);
  if (isPerfect) return;
  for (const { id, weight } of CATEGORIES.flatMap((category) => categories[category]?.auditRefs ?? [])) {
    const { displayValue = "", score = null, title } = audits[id] ?? {};
    if (weight > 0 && score !== null && score < 0.9) console.log(`    ${id}: ${title} ${displayValue}`);
  }
  for (const snippet of listMoved(audits)) console.log(`    moved: ${snippet}`);
}

/** Returns the opening tags of elements that have moved. */
function listMoved(audits: Result["audits"]): string[] {
  const details = audits["layout-shifts"]?.details;
  if (details?.type !== "table") return [];
  return details.items.flatMap(({ node }) =>
    typeof node === "object" && "snippet" in node && node.snippet ? [node.snippet] : [],
  );
}

/**
 * Measures the interaction to next paint of a first press, which Lighthouse does not do: as the browser reports it,
 * with the processor slowed down as much as by Lighthouse. Returns nothing if the press came before the scripts, and
 * the next document was the response.
 */
async function measureFirstPress(path: string): Promise<number[]> {
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send("Emulation.setCPUThrottlingRate", { rate: SLOWDOWN });
  await page.goto(app.url + path);
  await page.evaluate(noteEvents);
  // `click` would first ask the page what is under the pointer, and the page's slow processor would count as ours.
  const box = await page.locator(FIRST_PRESS).boundingBox();
  if (!box) throw new Error(`${path} does not show what is to be pressed.`);
  await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
  // Entries arrive after the paint that ends them.
  const reported = await page
    .waitForFunction(() => window.longestEvent, undefined, { timeout: 5_000 })
    .catch(() => null);
  const longest = await reported?.jsonValue();
  await page.close();
  return longest === undefined ? [] : [longest];
}

declare global {
  interface Window {
    /** The longest time from a press to the next paint, in milliseconds. */
    longestEvent?: number;
  }
}

/** Runs in the page. The browser reports events shorter than 16 ms as 16 ms, or not at all. */
function noteEvents() {
  new PerformanceObserver((list) => {
    for (const { duration, name } of list.getEntries()) {
      if (name === "click") window.longestEvent = Math.max(window.longestEvent ?? 0, duration);
    }
  }).observe({ type: "event", durationThreshold: 16 } as PerformanceObserverInit);
}

function report(what: string, words: string, isWithin: boolean) {
  console.log(`${what} ${words}${isWithin ? "" : "  OVER THE LIMIT"}`);
  if (!isWithin) process.exitCode = 1;
}
