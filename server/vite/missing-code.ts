import type { Plugin } from "vite";

/** What React Router does if it cannot load a page's code. */
const RELOADS = /console\.error\(`Error loading route module[^;]*;\s*console\.error\(error\);.*?location\.reload\(\);/s;

/** With Back and Forward the address has changed already, and a link may differ only in its query or fragment. */
const OPENS = `console.error(error);
const to = window.__reactRouterDataRouter?.state.navigation.location;
if (to && to.pathname !== location.pathname) location.assign(to.pathname + to.search + to.hash);
else location.reload();`;

/**
 * Opens a page whose code cannot be loaded, for instance because a new version replaced this one. React Router would
 * reload the page that the visitor wants to leave, so the link would lead nowhere. Here the browser requests the new
 * page, and the server renders it. Throws if an update of React Router has moved this code.
 */
export const missingCodePlugin = (): Plugin => ({
  name: "nodebeat:missing-code",
  applyToEnvironment: ({ name }) => name === "client",
  transform: {
    filter: { id: /\/node_modules\/react-router\/dist\/production\/lib\/dom\/ssr\/routeModules\.js$/ },
    handler(code) {
      if (!RELOADS.test(code))
        throw new Error("React Router has changed: server/vite/missing-code.ts no longer finds where it reloads.");
      return { code: code.replace(RELOADS, () => OPENS), map: null };
    },
  },
});
