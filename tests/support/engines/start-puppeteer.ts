import { launch, type BrowserContext, type KeyInput, type LaunchOptions, type Page } from "puppeteer-core";
import { chromium } from "@playwright/test";
import { chromiumOptions } from "../pages/chromium.mjs";
import type { EngineOptions, Key, UseEngine, Wire } from "./tab.ts";

/** Where Debian's package installs it (tests/install/engines.mjs). */
export const FIREFOX = "/usr/bin/firefox-esr";

const WINDOW = { width: 1440, height: 900 };
const SANDBOX = ["--no-sandbox", "--disable-gpu"];

type Prepare = (page: Page) => unknown;

export function withFirefox({ javaScript, still = false }: EngineOptions, use: UseEngine) {
  const extraPrefsFirefox = { "javascript.enabled": javaScript, "ui.prefersReducedMotion": Number(still) };
  return withBrowser({ browser: "firefox", executablePath: FIREFOX, headless: true, extraPrefsFirefox }, () => {}, use);
}

export function withChromium({ javaScript, still = false }: EngineOptions, use: UseEngine) {
  const executablePath = chromiumOptions().executablePath ?? chromium.executablePath();
  const motion = still ? "reduce" : "no-preference";
  return withBrowser(
    { browser: "chrome", executablePath, headless: "shell", args: SANDBOX },
    async (page) => {
      await page.setJavaScriptEnabled(javaScript);
      await page.emulateMediaFeatures([{ name: "prefers-reduced-motion", value: motion }]);
    },
    use,
  );
}

async function withBrowser(options: LaunchOptions, prepare: Prepare, use: UseEngine) {
  const browser = await launch({ ...options, defaultViewport: WINDOW });
  const problems: string[] = [];
  let context = await browser.createBrowserContext();
  async function renew() {
    await context.close();
    context = await browser.createBrowserContext();
    return openTab(context, prepare, problems);
  }
  try {
    await use({ wire: await openTab(context, prepare, problems), problems, renew });
  } finally {
    await browser.close();
  }
}

async function openTab(context: BrowserContext, prepare: Prepare, problems: string[]): Promise<Wire> {
  const page = await context.newPage();
  page.on("pageerror", (error) =>
    problems.push(error instanceof Error ? (error.stack ?? error.message) : String(error)),
  );
  page.on("console", (message) => {
    if (message.type() === "error") problems.push(message.text());
  });
  await prepare(page);
  return {
    goto: (url) => goTo(page, url),
    read: (expression) => page.evaluate(expression),
    press: ({ x, y }) => page.mouse.click(x, y),
    type: (text) => page.keyboard.type(text),
    key: (name) => press(page, name),
    resize: (size) => page.setViewport(size),
    setCookies: (cookies) =>
      context.setCookie(...cookies.map((cookie) => ({ ...cookie, domain: new URL(page.url()).hostname }))),
    shot: (path, whole) => page.screenshot({ path, fullPage: whole }),
    tab: () => openTab(context, prepare, problems),
  };
}

/**
 * Opens a page. Firefox may report that loading was aborted when it means the page being left, so this tries once more.
 */
const goTo = (page: Page, url: string) =>
  page.goto(url).catch((error: unknown) => {
    if (!String(error).includes("NS_BINDING_ABORTED")) throw error;
    return page.goto(url);
  });

async function press({ keyboard }: Page, name: Key) {
  const [, letter] = name.split("+");
  if (!letter) return keyboard.press(name as KeyInput);
  await keyboard.down("Control");
  await keyboard.press(letter as KeyInput);
  await keyboard.up("Control");
}
