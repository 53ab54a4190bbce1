import type { Plugin } from "vite";

/**
 * Replaces what Vite puts around each `import()` of the application. Vite's own also loads styles and reports failures:
 * more than half a kilobyte in every page, which nothing of ours needs.
 */
export const preloadHelperPlugin = (): Plugin => ({
  name: "nodebeat:preload-helper",
  apply: "build",
  applyToEnvironment: ({ name }) => name === "client",
  transform: {
    filter: { id: /vite\/preload-helper\.js$/ },
    handler: () => ({ code: `export const __vitePreload = ${preload.toString()};`, map: null }),
  },
});

/** Requests all files of a part at once, instead of each when the one before names it. Runs in the browser. */
function preload<Part>(load: () => Promise<Part>, files: readonly string[] = []): Promise<Part> {
  for (const file of files) {
    const href = `/${file}`;
    if (!document.querySelector(`link[href="${href}"]`))
      document.head.append(Object.assign(document.createElement("link"), { rel: "modulepreload", href }));
  }
  return load();
}
