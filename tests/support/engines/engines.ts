import { existsSync } from "node:fs";
import { hasChromium } from "../pages/chromium.mjs";
import { FIREFOX, withChromium, withFirefox } from "./start-puppeteer.ts";
import { hasWebKit, withWebKit } from "./start-webkit.ts";
import { Tab, type EngineOptions } from "./tab.ts";

const ENGINES = {
  Chromium: { isHere: hasChromium(), start: withChromium },
  Firefox: { isHere: existsSync(FIREFOX), start: withFirefox },
  WebKit: { isHere: hasWebKit, start: withWebKit },
};

export type EngineName = keyof typeof ENGINES;
export const ENGINE_NAMES = Object.keys(ENGINES) as EngineName[];

export const hasEngine = (name: EngineName) => ENGINES[name].isHere;

type Use = (tab: Tab, problems: string[], renew: () => Promise<Tab>) => Promise<void>;

/** Starts a browser, passes its first tab to `use`, and stops it whatever happens. */
export function withEngine(name: EngineName, options: EngineOptions, use: Use): Promise<void> {
  return ENGINES[name].start(options, ({ wire, problems, renew }) =>
    use(new Tab(wire), problems, async () => new Tab(await renew())),
  );
}
