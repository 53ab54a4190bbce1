import type { Page } from "@playwright/test";

const READ = /^\/read\/|\.data$/;

/** The header reads this every ten seconds, whatever happens on the page. */
const BY_THE_CLOCK = "/read/machine-id-status";

/** Records the paths of the page's reads from now on, except the periodic one. */
export function collectReads(page: Page) {
  const reads: string[] = [];
  page.on("request", (request) => {
    const { pathname } = new URL(request.url());
    if (READ.test(pathname) && pathname !== BY_THE_CLOCK) reads.push(pathname);
  });
  return reads;
}

/**
 * Counts the page's reads in the page itself, from its next document on, because the browser may report them late.
 * `open` is how many have no response yet.
 */
export async function countReads(page: Page) {
  await page.addInitScript((source) => {
    const pattern = new RegExp(source, "u");
    const reads = { begun: [] as string[], open: 0 };
    const fetch = window.fetch.bind(window);
    async function read(pathname: string, given: Parameters<typeof fetch>) {
      reads.begun.push(pathname);
      reads.open += 1;
      try {
        const response = await fetch(...given);
        await response.clone().arrayBuffer();
        return response;
      } finally {
        reads.open -= 1;
      }
    }
    Object.assign(window, {
      reads,
      fetch(...given: Parameters<typeof fetch>) {
        const { pathname } = new URL(given[0] instanceof Request ? given[0].url : given[0], location.href);
        return pattern.test(pathname) ? read(pathname, given) : fetch(...given);
      },
    });
  }, READ.source);
  return () => page.evaluate(() => (window as unknown as { reads: { begun: string[]; open: number } }).reads);
}
