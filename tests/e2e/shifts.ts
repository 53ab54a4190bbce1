import type { Page } from "@playwright/test";
import { blockLiveEvents } from "./fixtures.ts";
import { hydrated } from "./hydration.ts";

type Shift = PerformanceEntry & {
  value: number;
  sources: { node: Node | null; previousRect: DOMRectReadOnly; currentRect: DOMRectReadOnly }[];
};

/** Makes a page record every layout shift, however small. */
export async function recordShifts(page: Page) {
  await blockLiveEvents(page);
  return page.addInitScript(() => {
    const shifts: string[] = [];
    Object.assign(window, { shifts });
    new PerformanceObserver((list) => {
      for (const { sources, value } of list.getEntries() as Shift[]) {
        const moved = sources.map(({ currentRect, node, previousRect }) => {
          const name = node instanceof Element ? node.outerHTML.slice(0, 80) : node?.textContent;
          return `${name}: ${JSON.stringify(previousRect)} to ${JSON.stringify(currentRect)}`;
        });
        shifts.push(`${value}: ${moved.join("; ")}`);
      }
    }).observe({ type: "layout-shift", buffered: true });
  });
}

/** Returns the layout shifts, once fonts have loaded and the page has drawn a frame after hydration. */
export async function readSettledShifts(page: Page) {
  await hydrated(page);
  await page.waitForLoadState("networkidle");
  return page.evaluate(async () => {
    await document.fonts.ready;
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    return (window as unknown as { shifts: string[] }).shifts;
  });
}
