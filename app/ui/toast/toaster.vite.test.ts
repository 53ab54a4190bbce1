import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { build } from "vite";
import { expect, test } from "vitest";
import { toasterPlugin } from "./toaster.vite.ts";

const require = createRequire(import.meta.url);
const stylesheet = require.resolve("sonner/dist/styles.css");

async function bundleToasts(): Promise<string> {
  const result = await build({
    configFile: false,
    logLevel: "silent",
    plugins: [toasterPlugin()],
    build: {
      write: false,
      minify: false,
      lib: { entry: fileURLToPath(new URL("toast-list.tsx", import.meta.url)), formats: ["es"] },
      rollupOptions: { external: /^react/ },
    },
  });
  const [bundle] = Array.isArray(result) ? result : [];
  return bundle?.output.map((chunk) => (chunk.type === "chunk" ? chunk.code : "")).join("") ?? "";
}

// specification: 9.15
test("the bundle injects no styles, and a swipe of 20 px dismisses a toast", async () => {
  const code = await bundleToasts();
  expect(code).toContain("data-sonner-toaster");
  expect(code).not.toContain("[data-sonner-toaster]{");
  expect(code).toContain("SWIPE_THRESHOLD = 20");
});

test("the library still ships the stylesheet that replaces the injected styles", () => {
  expect(readFileSync(stylesheet, "utf8")).toContain("[data-sonner-toaster]");
});
