import { reactRouter } from "@react-router/dev/vite";
import tailwindcss from "@tailwindcss/vite";
import { defineConfig } from "vite";
import { toasterPlugin } from "./app/ui/toaster.vite.ts";
import { boundaryPlugin } from "./server/vite/boundary.ts";
import { devServerPlugin } from "./server/vite/dev-server.ts";
import { precompressPlugin } from "./server/vite/precompress.ts";

export default defineConfig(({ command }) => ({
  plugins: [boundaryPlugin(), devServerPlugin(), tailwindcss(), reactRouter(), toasterPlugin(), precompressPlugin()],
  environments: {
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
