import { reactRouter } from "@react-router/dev/vite";
import tailwindcss from "@tailwindcss/vite";
import { defineConfig } from "vite";
import { fontsPlugin } from "./app/ui/styles/fonts.vite.ts";
import { toasterPlugin } from "./app/ui/toast/toaster.vite.ts";
import { boundaryPlugin } from "./server/vite/boundary.ts";
import { devServerPlugin } from "./server/vite/dev-server.ts";
import { precompressPlugin } from "./server/vite/precompress.ts";

/**
 * What every page loads, in two files instead of twenty: compressed together they are 3 kB smaller. The router apart,
 * because it changes less often than we do.
 */
const FRAME_CHUNKS = [
  { name: "router", test: /node_modules\/(?:react-router|react)\//, priority: 2 },
  {
    name: "frame",
    test: /\/app\/(?:brand|api\/connection|auth\/auth-channel|shell\/(?:logo|page-title|preference-form|preferences|problem|problem-parts|skip-link|theme|theme-toggle)|wallet\/(?:short-address|wallet-state)|ui\/(?:button|hydrated|icon|number|toast|tooltip))\.tsx?$/,
    priority: 1,
  },
  {
    // On nearly every member's page and on none for visitors. Each alone is too small to be compressed.
    name: "cards",
    test: /\/app\/(?:auth\/member-field|dashboard\/missing-card|live\/live-state|machine-id\/(?:requirement-list|seen|stage)|(?:agent-insights|legal|machine-id|member|points)\/reads|shell\/log-out-dialog|ui\/(?:card|copy-button|count-up|dialog|meter|pager|pill|segmented-links|skeleton|stat|table))\.tsx?$/,
    priority: 1,
  },
];

export default defineConfig(({ command }) => ({
  plugins: [
    boundaryPlugin(),
    devServerPlugin(),
    tailwindcss(),
    reactRouter(),
    fontsPlugin(),
    toasterPlugin(),
    precompressPlugin(),
  ],
  environments: {
    client: { build: { rolldownOptions: { output: { codeSplitting: { groups: FRAME_CHUNKS } } } } },
    ssr: {
      build: { rollupOptions: { input: "server/pages.ts" } },
      // The built pages bring their libraries: they load three times as fast, need nothing installed, and have
      // React's production version whatever NODE_ENV says later. In development Node loads the libraries itself.
      resolve: command === "build" ? { noExternal: true } : {},
    },
  },
  // All of the application is looked through once, so that opening a page does not find new dependencies and reload.
  optimizeDeps: { entries: ["app/**/*.tsx"] },
  build: {
    // The content security policy lets fonts come from files only.
    assetsInlineLimit: (path) => (path.endsWith(".woff2") ? false : undefined),
  },
}));
