import type { Plugin } from "vite";

declare global {
  interface Window {
    /** The router, by the name that it gives itself. */
    __reactRouterDataRouter?: { state: { navigation: { location?: Pick<Location, "hash" | "pathname" | "search"> } } };
  }
}

const RELOADS = "window.location.reload();";

/**
 * Where a page's code cannot be had, as after a new version has taken this one's place, React Router loads the document
 * again that its reader wants to leave: the link has led nowhere. Here the browser opens the page itself, which the
 * server draws. Throws when an update of React Router has moved the place.
 */
export const missingCodePlugin = (): Plugin => ({
  name: "nodebeat:missing-code",
  applyToEnvironment: ({ name }) => name === "client",
  transform: {
    filter: { id: /\/node_modules\/react-router\/dist\/production\/lib\/dom\/ssr\/routeModules\.js$/ },
    handler(code) {
      if (code.split(RELOADS).length !== 2)
        throw new Error("React Router has changed: server/vite/missing-code.ts no longer finds where it reloads.");
      return { code: code.replace(RELOADS, () => `(${open.toString()})();`), map: null };
    },
  },
});

/** Runs in the browser. Back and forward have changed the address by then, and it may differ in its end alone. */
function open() {
  const { __reactRouterDataRouter: router } = window;
  const to = router?.state.navigation.location;
  if (to && to.pathname !== location.pathname) location.assign(to.pathname + to.search + to.hash);
  else location.reload();
}
