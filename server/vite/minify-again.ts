import { minify } from "terser";
import type { Plugin } from "vite";

/** Minifies the browser's scripts once more. The bundler minifies file by file, and Terser saves another hundredth. */
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
