import type { Plugin } from "vite";

/**
 * Keeps what is in `*.unscripted.tsx` from browsers: its pages are HTML alone, and nothing that they are made of is to
 * become a part of what others load.
 */
export const unscriptedPlugin = (): Plugin => ({
  name: "nodebeat:unscripted",
  enforce: "pre",
  applyToEnvironment: ({ name }) => name === "client",
  load: (id) => (/\.unscripted\.tsx(?:\?|$)/.test(id) ? "export default () => null;" : undefined),
});
