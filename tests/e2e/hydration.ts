import { expect, type BrowserContext, type Page } from "@playwright/test";

declare global {
  interface Window {
    /** Whether the page's effects have run once, so that all its event listeners are there. */
    isHydrated?: boolean;
  }
}

/** Makes every page of a context record when it is fully hydrated, which React reports to its developer tools. */
const noteHydration = (context: BrowserContext) =>
  void context.addInitScript(() => {
    type Fiber = {
      memoizedState?: { dehydrated?: unknown } | null;
      subtreeFlags: number;
      child: Fiber | null;
      sibling: Fiber | null;
    };
    /** React's mask for passive effects: without any, React calls nothing after the commit. */
    const EFFECTS = 10256;
    const isDry = (fiber: Fiber | null): boolean =>
      fiber !== null && (Boolean(fiber.memoizedState?.dehydrated) || isDry(fiber.child) || isDry(fiber.sibling));
    const onPostCommitFiberRoot = (_: unknown, { current }: { current: Fiber }) => {
      window.isHydrated ||= !isDry(current);
    };
    const onCommitFiberRoot = (renderer: unknown, root: { current: Fiber }) => {
      if (!(root.current.subtreeFlags & EFFECTS)) onPostCommitFiberRoot(renderer, root);
    };
    Object.assign(window, {
      __REACT_DEVTOOLS_GLOBAL_HOOK__: {
        supportsFiber: true,
        inject: () => 1,
        onCommitFiberRoot,
        onPostCommitFiberRoot,
      },
    });
  });

/**
 * Makes navigation wait until a page is hydrated: pages load, and are visible, before that. Does not wait if the test
 * says itself what to wait for (`waitUntil`).
 */
export function waitForHydrationOnOpen(context: BrowserContext): void {
  noteHydration(context);
  context.on("page", (page) => {
    const goto = page.goto.bind(page);
    const reload = page.reload.bind(page);
    page.goto = async (url, options) => {
      const response = await goto(url, options);
      if (!options?.waitUntil) await waitForScripts(page);
      return response;
    };
    page.reload = async (options) => {
      const response = await reload(options);
      if (!options?.waitUntil) await waitForScripts(page);
      return response;
    };
  });
}

/** Waits until a loaded page is hydrated. A page without scripts needs no wait. */
const waitForScripts = (page: Page) => pollPage(page, () => window.isHydrated || !("__reactRouterContext" in window));

/** Waits until the page is hydrated. An idle network does not show that, because on a busy machine it is idle, too. */
export const hydrated = (page: Page) => pollPage(page, () => window.isHydrated);

/** Polls a page until the answer is true: often, because each visit waits for it. A page that reloads cannot answer. */
const pollPage = (page: Page, ask: () => boolean | undefined) =>
  expect.poll(() => page.evaluate(ask).catch(() => false), { intervals: [25] }).toBe(true);
