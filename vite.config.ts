import { reactRouter } from "@react-router/dev/vite";
import tailwindcss from "@tailwindcss/vite";
import { defineConfig } from "vite";
import { leakedPasswordsPlugin } from "./app/forms/leaked-passwords.vite.ts";
import { fontsPlugin } from "./app/ui/styles/fonts.vite.ts";
import { toasterPlugin } from "./app/ui/toast/toaster.vite.ts";
import packageJson from "./package.json" with { type: "json" };
import { boundaryPlugin } from "./server/vite/boundary.ts";
import { compileAheadPlugin } from "./server/vite/compile-ahead.ts";
import { devServerPlugin } from "./server/vite/dev-server.ts";
import { minifyAgainPlugin } from "./server/vite/minify-again.ts";
import { missingCodePlugin } from "./server/vite/missing-code.ts";
import { nodePackagePlugin } from "./server/vite/node-package.ts";
import { precompressPlugin } from "./server/vite/precompress.ts";
import { preloadHelperPlugin } from "./server/vite/preload-helper.ts";
import { unscriptedPlugin } from "./server/vite/unscripted.ts";
import { unusedQueryPartsPlugin } from "./server/vite/unused-query-parts.ts";
import { unusedRouterPartsPlugin } from "./server/vite/unused-router-parts.ts";
import { nameSharedChunk } from "./server/vite/code-splitting.ts";

/**
 * React and its router have their own chunk, because they change less often than our code. Our code is grouped by
 * which pages load it, into few files: compressed together, it is smaller.
 */
const CHUNKS = [
  { name: "router", test: /node_modules\/(?:react-router|react|react-dom|scheduler)\//, priority: 2 },
  { name: nameSharedChunk, test: /\/app\//, priority: 1 },
];

/** The browsers that scripts and styles are compiled for, in Vite's notation: `chrome >= 120` is `chrome120`. */
const TARGET = packageJson.browserslist.map((each) => each.replace(" >= ", ""));

export default defineConfig(({ command }) => ({
  plugins: [
    boundaryPlugin(),
    unscriptedPlugin(),
    devServerPlugin(),
    tailwindcss(),
    reactRouter(),
    unusedRouterPartsPlugin(),
    unusedQueryPartsPlugin(),
    missingCodePlugin(),
    preloadHelperPlugin(),
    fontsPlugin(),
    leakedPasswordsPlugin(),
    toasterPlugin(),
    minifyAgainPlugin(),
    compileAheadPlugin(),
    precompressPlugin(),
    nodePackagePlugin(),
  ],
  environments: {
    client: { build: { target: TARGET, rolldownOptions: { output: { codeSplitting: { groups: CHUNKS } } } } },
    ssr: {
      build: { rollupOptions: { input: "server/pages.ts" } },
      // The built pages contain their libraries: they load three times as fast, need nothing installed, and have
      // React's production version whatever NODE_ENV says later. In development, Node loads the libraries itself.
      ...(command === "build" && {
        resolve: { noExternal: true },
        define: { "process.env.NODE_ENV": JSON.stringify("production") },
      }),
    },
  },
  // Scans the whole application once. Otherwise opening a page would find new dependencies and reload.
  optimizeDeps: { entries: ["app/**/*.tsx"] },
  build: {
    // The content security policy allows fonts only from files.
    assetsInlineLimit: (path) => (path.endsWith(".woff2") ? false : undefined),
  },
}));
