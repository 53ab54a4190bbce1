import { existsSync } from "node:fs";
import { chromium, type Browser, type BrowserContext } from "@playwright/test";
import { startApp, type RunningApp } from "../support/start-app.ts";

/** kB (1.000 bytes) of brotli-compressed JavaScript that opening each page may load. */
const BUDGETS = { "/auth": 125, "/dashboard": 150 };

const app = await startApp();
const browser = await chromium.launch({
  args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking"],
  ...(existsSync("/usr/bin/chromium") && { executablePath: "/usr/bin/chromium" }),
});

try {
  for (const [path, budget] of Object.entries(BUDGETS)) {
    const kilobytes = (await measure(app, browser, path)) / 1000;
    const over = kilobytes > budget;
    console.log(
      `${path.padEnd(12)} ${kilobytes.toFixed(1).padStart(6)} kB brotli of ${budget} kB${over ? "  OVER BUDGET" : ""}`,
    );
    if (over) process.exitCode = 1;
  }
} finally {
  await browser.close();
  await app.close();
}

/** Opens the page as its reader would and adds up every script the browser loaded, preloads and islands included. */
async function measure({ url, seed }: RunningApp, browser: Browser, path: string) {
  const context = await browser.newContext();
  if (path !== "/auth") await signIn(context, url, seed);
  const page = await context.newPage();
  // Events never end: with them the network would never be idle.
  await page.route("**/live", (route) => route.fulfill({ status: 404 }));
  const scripts = new Set<string>();
  page.on("response", (response) => {
    if (/javascript/.test(response.headers()["content-type"] ?? "")) scripts.add(response.url());
  });
  const response = await page.goto(url + path, { waitUntil: "networkidle" });
  if (new URL(page.url()).pathname !== path) throw new Error(`${path} answered ${response?.status()} at ${page.url()}`);
  await context.close();
  if (scripts.size === 0) throw new Error(`${path} loaded no script: nothing was measured.`);
  const sizes = await Promise.all([...scripts].map(brotliSize));
  return sizes.reduce((sum, size) => sum + size, 0);
}

async function signIn(context: BrowserContext, url: string, seed: RunningApp["seed"]) {
  const { cookie } = await seed.member({});
  await context.addCookies([{ ...cookie, url }]);
}

/** Files too small to gain from compression are sent as they are. */
async function brotliSize(url: string) {
  const response = await fetch(url, { headers: { "Accept-Encoding": "br" } });
  await response.body?.cancel();
  const size = Number(response.headers.get("content-length"));
  if (response.headers.get("content-encoding") === "br" || size < 1024) return size;
  throw new Error(`${url} was not served with brotli.`);
}
