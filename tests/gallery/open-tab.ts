import type { SeededMember } from "../support/app-messages.ts";
import type { Cookie, Key, Size, Tab as EngineTab } from "../support/engines/tab.ts";

export type Theme = "light" | "dark";

/** Who looks at a page, and how. */
export type TabOptions = { member: SeededMember | null; theme: Theme; javaScript: boolean };

/** The actions with which states are created, in any engine. */
export type Tab = ReturnType<typeof toTab>;

/** An address that shows no page of ours, from which cookies for the host can be set. */
const PLAIN = "/robots.txt";

/** Opens a tab with these settings, and signs in if there is a member. */
export async function openTab(tab: EngineTab, url: string, { javaScript, member, theme }: TabOptions): Promise<Tab> {
  await tab.goto(url + PLAIN);
  await tab.setCookies([{ name: "theme", value: theme }, ...(member ? [member.cookie] : [])].map(pickCookie));
  return toTab(tab, url, javaScript);
}

const pickCookie = ({ name, value }: Cookie): Cookie => ({ name, value });

function toTab(tab: EngineTab, url: string, javaScript: boolean) {
  return {
    /** Opens an address, and returns the path it led to. */
    async goto(path: string): Promise<string> {
      await tab.goto(url + path);
      await tab.wait(javaScript ? `${IS_COMPLETE} && (${LISTENS})` : IS_COMPLETE);
      return tab.read<string>("location.pathname");
    },
    click: tab.click.bind(tab),
    fill: tab.fill.bind(tab),
    key: (name: Key) => tab.key(name),
    see: tab.see.bind(tab),
    setCookie: (name: string, value: string) => tab.setCookies([{ name, value }]),
    /** Simulates this for the page only: not every engine's driver can go offline. */
    loseNetwork: () => tab.read(`(${goOffline.toString()})()`),
    resize: (size: Size) => tab.resize(size),
    /** Saves a screenshot of the window, or of the whole page. */
    async shot(path: string, { whole }: { whole: boolean }): Promise<void> {
      // Fixed elements are drawn where the window is: in a picture of the whole page, that should be its top.
      if (whole) await tab.read("scrollTo(0, 0)");
      await tab.wait(`document.fonts.status === "loaded" && ${IS_STILL}`);
      await tab.shot(path, { whole });
    },
  };
}

const IS_COMPLETE = `document.readyState === "complete"`;
/** React stores an element's event handlers on the element. Pages without scripts have none. */
const LISTENS = `!("__reactRouterContext" in window) || Object.keys(document.querySelector("main *") ?? {}).some((key) => key.startsWith("__reactProps"))`;
/** Spinners may keep moving. */
const IS_STILL = `document.getAnimations().every((each) =>
  each.playState !== "running" || each.effect.getComputedTiming().endTime === Infinity)`;

/** Runs in the page. */
function goOffline() {
  Object.defineProperty(navigator, "onLine", { get: () => false });
  window.fetch = () => Promise.reject(new TypeError("Failed to fetch"));
  dispatchEvent(new Event("offline"));
}
