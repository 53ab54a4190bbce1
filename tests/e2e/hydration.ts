import { expect, type BrowserContext, type Page } from "@playwright/test";

declare global {
  interface Window {
    /** Whether the page's effects have run once, so that it listens to whatever it is going to listen to. */
    isHydrated?: boolean;
  }
}

/** Has every page of a context note when scripts have taken all of it over: React tells its developer tools so. */
const noteHydration = (context: BrowserContext) =>
  void context.addInitScript(() => {
    type Fiber = {
      memoizedState?: { dehydrated?: unknown } | null;
      subtreeFlags: number;
      child: Fiber | null;
      sibling: Fiber | null;
    };
    /** React's mask for what has effects: without any, nothing is told of after the commit. */
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
 * Has each page of a context come to life before a test goes on: it is loaded, and seen, before that. Not where the
 * test says itself what it waits for (`waitUntil`).
 */
export function openAlive(context: BrowserContext): void {
  noteHydration(context);
  context.on("page", (page) => {
    const goto = page.goto.bind(page);
    const reload = page.reload.bind(page);
    page.goto = async (url, options) => {
      const response = await goto(url, options);
      if (!options?.waitUntil) await comeToLife(page);
      return response;
    };
    page.reload = async (options) => {
      const response = await reload(options);
      if (!options?.waitUntil) await comeToLife(page);
      return response;
    };
  });
}

/** Waits until scripts have taken a loaded page over. One that is served without any is as alive as it will be. */
const comeToLife = (page: Page) => pollPage(page, () => window.isHydrated || !("__reactRouterContext" in window));

/** Waits until scripts have taken the page over. A quiet network says nothing of it: a busy machine is quiet, too. */
export const hydrated = (page: Page) => pollPage(page, () => window.isHydrated);

/** Asks a page until it says yes: often, since each visit waits for it. While it loads itself, it cannot be asked. */
const pollPage = (page: Page, ask: () => boolean | undefined) =>
  expect.poll(() => page.evaluate(ask).catch(() => false), { intervals: [25] }).toBe(true);
