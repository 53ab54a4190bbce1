import type { Plugin } from "vite";

/** What React Router says and does then. */
const RELOADS = /console\.error\(`Error loading route module[^;]*;\s*console\.error\(error\);.*?location\.reload\(\);/s;

/** Back and forward have changed the address by then, and a link may differ in its end alone. */
const OPENS = `console.error(error);
const to = window.__reactRouterDataRouter?.state.navigation.location;
if (to && to.pathname !== location.pathname) location.assign(to.pathname + to.search + to.hash);
else location.reload();`;

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
      if (!RELOADS.test(code))
        throw new Error("React Router has changed: server/vite/missing-code.ts no longer finds where it reloads.");
      return { code: code.replace(RELOADS, () => OPENS), map: null };
    },
  },
});
