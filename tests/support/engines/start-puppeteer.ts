import { launch, type Browser, type LaunchOptions, type Page } from "puppeteer-core";
import { chromium } from "@playwright/test";
import { chromiumOptions } from "../chromium.mjs";
import type { EngineOptions, UseEngine, Wire } from "./tab.ts";

/** Where Debian's package puts it (install-engines.mjs). */
export const FIREFOX = "/usr/bin/firefox-esr";

const WINDOW = { width: 1440, height: 900 };
const SANDBOX = ["--no-sandbox", "--disable-gpu"];

export function withFirefox({ javaScript }: EngineOptions, use: UseEngine) {
  const extraPrefsFirefox = { "javascript.enabled": javaScript };
  return withBrowser({ browser: "firefox", executablePath: FIREFOX, headless: true, extraPrefsFirefox }, () => {}, use);
}

export function withChromium({ javaScript }: EngineOptions, use: UseEngine) {
  const executablePath = chromiumOptions().executablePath ?? chromium.executablePath();
  return withBrowser(
    { browser: "chrome", executablePath, headless: "shell", args: SANDBOX },
    (page) => page.setJavaScriptEnabled(javaScript),
    use,
  );
}

async function withBrowser(options: LaunchOptions, prepare: (page: Page) => unknown, use: UseEngine) {
  const browser = await launch({ ...options, defaultViewport: WINDOW });
  const problems: string[] = [];
  try {
    await use({ wire: await openTab(browser, prepare, problems), problems });
  } finally {
    await browser.close();
  }
}

async function openTab(browser: Browser, prepare: (page: Page) => unknown, problems: string[]): Promise<Wire> {
  const page = await browser.newPage();
  page.on("pageerror", (error) =>
    problems.push(error instanceof Error ? (error.stack ?? error.message) : String(error)),
  );
  page.on("console", (message) => {
    if (message.type() === "error") problems.push(message.text());
  });
  await prepare(page);
  return {
    goto: (url) => page.goto(url),
    read: (expression) => page.evaluate(expression),
    press: ({ x, y }) => page.mouse.click(x, y),
    type: (text) => page.keyboard.type(text),
    key: (name) => page.keyboard.press(name),
    shot: (path) => page.screenshot({ path }),
    tab: () => openTab(browser, prepare, problems),
  };
}
