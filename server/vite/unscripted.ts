import type { Plugin } from "vite";

/**
 * Keeps `*.unscripted.tsx` out of browsers. Those pages are HTML alone, and no other page should load a part of them.
 */
export const unscriptedPlugin = (): Plugin => ({
  name: "nodebeat:unscripted",
  enforce: "pre",
  applyToEnvironment: ({ name }) => name === "client",
  load: (id) => (/\.unscripted\.tsx(?:\?|$)/.test(id) ? "export default () => null;" : undefined),
});
