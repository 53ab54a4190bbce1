import type { Plugin } from "vite";

/**
 * Chromium leaves a function uncompiled until it is called, which is when the reader presses the first thing. Asked by
 * this comment, at the very top of a file, it compiles all of them beside the page while the file arrives. Other
 * browsers skip it.
 */
const HINT = "//# allFunctionsCalledOnLoad\n";

/** Characters below which a file is soon compiled anyway, and the comment adds to what a page may weigh. */
const WORTH_IT = 10_000;

/**
 * Has the files that pages start with compiled ahead. What is loaded by a press, such as the wallet, is used in part.
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
