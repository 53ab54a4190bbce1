import type { Plugin } from "vite";

/**
 * Chromium compiles a function only when it is called, which is when the visitor first presses something. With this
 * comment at the very top of a file, it compiles all functions in the background as the file arrives. Other browsers
 * ignore the comment.
 */
const HINT = "//# allFunctionsCalledOnLoad\n";

/**
 * The smallest file worth the hint, in characters. A smaller one compiles soon anyway, and the hint adds to a page's
 * weight.
 */
const WORTH_IT = 10_000;

/**
 * Adds the hint to the files that pages start with. Files that load later, such as the wallet's, are used only in part.
 */
export function compileAheadPlugin(): Plugin {
  return {
    name: "nodebeat:compile-ahead",
    apply: "build",
    enforce: "post",
    applyToEnvironment: ({ name }) => name === "client",
    generateBundle: {
      order: "post",
      handler(_, bundle) {
        for (const file of Object.values(bundle))
          if (file.type === "chunk" && !file.isDynamicEntry && file.code.length >= WORTH_IT)
            file.code = HINT + file.code;
      },
    },
  };
}
