import type { Plugin } from "vite";

/** Names for developers' tools, and calls that only make something: a bundler cannot know that leaving them out is safe. */
const NAME = /^\w+\.displayName = .*;$/gm;
const MAKING = /^(const \w+ = )(?=React(?:\$\d+)?\.(?:forwardRef|createContext|memo)\()/gm;

/**
 * Lets the browser do without those parts of React Router that no page uses, such as its own links: each of its
 * components is given a name, which counts as a use.
 */
export const unusedRouterPartsPlugin = (): Plugin => ({
  name: "nodebeat:unused-router-parts",
  applyToEnvironment: ({ name }) => name === "client",
  transform: {
    filter: { id: /\/node_modules\/react-router\/dist\/production\// },
    handler: (code) => ({ code: code.replaceAll(NAME, "").replaceAll(MAKING, "$1/* @__PURE__ */ "), map: null }),
  },
});
