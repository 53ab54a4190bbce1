import { minify } from "terser";
import type { Plugin } from "vite";

/**
 * Goes once more over the scripts for browsers, which the bundler has minified file by file: Terser finds a hundredth
 * that is left.
 */
export const minifyAgainPlugin = (): Plugin => ({
  name: "nodebeat:minify-again",
  apply: "build",
  applyToEnvironment: ({ name }) => name === "client",
  generateBundle: {
    order: "post",
    async handler(_, bundle) {
      for (const chunk of Object.values(bundle)) {
        if (chunk.type !== "chunk") continue;
        const { code } = await minify(chunk.code, { module: true, ecma: 2020, compress: { passes: 3 } });
        chunk.code = code ?? chunk.code;
      }
    },
  },
});
