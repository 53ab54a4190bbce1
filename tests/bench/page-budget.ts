import { chromium, type BrowserContext, type Response } from "@playwright/test";
import { chromiumOptions } from "../support/pages/chromium.mjs";
import { startApp } from "../support/servers/start-app.ts";
import { readOptions } from "../support/command-options.ts";

/** How many kB (1.000 bytes) of brotli-compressed JavaScript each page may load when it is opened. */
const BUDGETS = { "/auth": 104, "/dashboard": 135, "/status": 126.6 };
/** How many kB of HTML, before compression, each page may have for a member with much to show. */
const HTML_BUDGETS = {
  "/dashboard": 40,
  "/agentinsights": 70,
  "/faqs": 55,
  "/profile": 40,
  "/referrals": 35,
  "/rewards": 25,
};
/** How much a wallet may add to that, once one is needed. */
const WALLET_BUDGET = 60;

readOptions("npm run bench:budget      the JavaScript and the HTML of each page against their budgets", {});

const app = await startApp();
const browser = await chromium.launch({
  args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking"],
  ...chromiumOptions(),
});

try {
  for (const [path, budget] of Object.entries(BUDGETS)) await report(path, await measure(path), budget);
  await report("the wallet", await measureWallet(), WALLET_BUDGET);
  const { cookie } = await seedFullMember();
  for (const [path, budget] of Object.entries(HTML_BUDGETS))
    print(path, (await measureHtml(path, cookie)) / 1000, `kB of HTML of ${budget}`, budget);
} finally {
  await browser.close();
  await app.close();
}

async function report(what: string, scripts: Set<string>, budget: number) {
  const sizes = await Promise.all([...scripts].map(brotliSize));
  const kilobytes = sizes.reduce((sum, size) => sum + size, 0) / 1000;
  print(what, kilobytes, `kB of JavaScript, brotli, of ${budget}`, budget);
}

function print(what: string, kilobytes: number, unit: string, budget: number) {
  const over = kilobytes > budget;
  console.log(`${what.padEnd(14)} ${kilobytes.toFixed(1).padStart(6)} ${unit}${over ? "  OVER BUDGET" : ""}`);
  if (over) process.exitCode = 1;
}

/**
 * Creates a member with entries of every category on each of the last 90 days, a node that sends heartbeats, and
 * friends in every state.
 */
async function seedFullMember() {
  const member = await app.seed.member({ heartbeats: 150, wallet: "0x52908400098527886E0F7030069857D2E4169EE7" });
  const categories = ["Connectivity", "Referral", "Rewards", "Others"] as const;
  const entries = Array.from({ length: 90 * categories.length }, (_, index) => ({
    category: categories[index % categories.length] ?? "Others",
    points: 25 + ((index * 37) % 400),
    comment: `Entry ${index}`,
    daysAgo: Math.floor(index / categories.length),
  }));
  await app.seed.post(member.userId, entries);
  for (let friend = 0; friend < 12; friend += 1)
    await app.seed.friend(member.userId, friend % 3 === 0 ? { heartbeats: 100, wallet: true } : {});
  return member;
}

async function measureHtml(path: string, { name, value }: { name: string; value: string }): Promise<number> {
  const headers = { Cookie: `${name}=${value}`, "Accept-Encoding": "identity" };
  const response = await fetch(app.url + path, { headers, redirect: "error" });
  const size = (await response.arrayBuffer()).byteLength;
  if (response.status !== 200) throw new Error(`${path} answered ${response.status}`);
  return size;
}

/** Opens a page as its reader would. Returns every script the browser loaded, including preloads and islands. */
async function measure(path: string): Promise<Set<string>> {
  const context = await browser.newContext();
  if (path === "/dashboard") await signIn(context);
  const { scripts } = await open(context, path);
  await context.close();
  return scripts;
}

/** Returns the scripts of the wallet. Pressing its button loads them, and none of them may be loaded before. */
async function measureWallet(): Promise<Set<string>> {
  const context = await browser.newContext();
  await signIn(context);
  const { page, scripts } = await open(context, "/profile");
  const before = new Set(scripts);
  await page.getByRole("main").getByRole("button", { name: "Connect wallet" }).click();
  await page.getByRole("dialog").waitFor();
  await page.getByRole("link", { name: /Install MetaMask/ }).waitFor();
  await context.close();
  const added = [...scripts].filter((url) => !before.has(url));
  if (added.length < 2) throw new Error("The wallet loaded no script of its own: it was in the page before.");
  return new Set(added);
}

function isScript(response: Response): boolean {
  return /javascript/.test(response.headers()["content-type"] ?? "");
}

async function open(context: BrowserContext, path: string) {
  const page = await context.newPage();
  // Live events never end: with them the network would never be idle.
  await page.route("**/live", (route) => route.fulfill({ status: 404, headers: { "Retry-After": "600" } }));
  const scripts = new Set<string>();
  page.on("response", (response) => {
    if (isScript(response)) scripts.add(response.url());
  });
  // Scripts are requested once the page has been painted; until then the network is idle, too.
  const [response] = await Promise.all([page.goto(app.url + path), page.waitForResponse(isScript)]);
  // Playwright reports an idle network only once, which may be before the first script.
  for (let known = 0; known < scripts.size;) {
    known = scripts.size;
    await page.waitForTimeout(1500);
  }
  if (new URL(page.url()).pathname !== path) throw new Error(`${path} answered ${response?.status()} at ${page.url()}`);
  return { page, scripts };
}

async function signIn(context: BrowserContext) {
  const { cookie } = await app.seed.member({});
  await context.addCookies([{ ...cookie, url: app.url }]);
}

/** Returns the size of a compressed response. Files too small to gain from compression are sent uncompressed. */
async function brotliSize(url: string) {
  const response = await fetch(url, { headers: { "Accept-Encoding": "br" } });
  await response.body?.cancel();
  const size = Number(response.headers.get("content-length"));
  if (response.headers.get("content-encoding") === "br" || size < 1024) return size;
  throw new Error(`${url} was not served with brotli.`);
}
