import type { Plugin } from "vite";

/**
 * Names for developer tools, and calls that only create something. A bundler cannot know that it is safe to drop them.
 */
const NAME = /^\w+\.displayName = .*;$/gm;
const MAKING = /^(const \w+ = )(?=React(?:\$\d+)?\.(?:forwardRef|createContext|memo)\()/gm;

/** Scripts for pages without their own document. Ours has one, and starts itself (app/page/start-script.tsx). */
const SCRIPTS = /renderScripts \? [^:]* : null/;

/** A message to developers, in a script of the error page. No browser runs that script, because React created it. */
const FOR_DEVELOPERS = /\tlet heyDeveloper = [^`]*`[^`]*` \}\n\t\}\);\n|, heyDeveloper\b/g;

/** Matches reads of a context that only server components set. They tell whether a page is made of such components. */
const SERVER_COMPONENTS = /\bthis\.context\b/g;

/**
 * Loading routes as they are needed, because ours come all at once (react-router.config.ts); instrumentation; and what
 * pages link to, because the document has all of it (app/root.tsx).
 */
const SWITCHED_OFF = /\/(?:fog-of-war|instrumentation|links)\.js/;
const EXPORTS = /^export \{ (.*) \};$/m;

/**
 * Removes the parts of React Router that no page uses, such as its own links, from the browser's code. React Router
 * names each of its components, which the bundler takes for a use. Parts that are switched off are still called, and
 * return nothing.
 */
export const unusedRouterPartsPlugin = (): Plugin => ({
  name: "nodebeat:unused-router-parts",
  applyToEnvironment: ({ name }) => name === "client",
  transform: {
    filter: { id: /\/node_modules\/react-router\/dist\/production\// },
    handler: (code, id) => ({ code: SWITCHED_OFF.test(id) ? stubExports(code) : removeUnused(code), map: null }),
  },
});

const removeUnused = (code: string) =>
  code
    .replaceAll(NAME, "")
    .replaceAll(MAKING, "$1/* @__PURE__ */ ")
    .replace(SCRIPTS, "null")
    .replaceAll(FOR_DEVELOPERS, "")
    .replaceAll(SERVER_COMPONENTS, "false");

/** Replaces all exports of a module with functions that return undefined. */
function stubExports(code: string): string {
  const [, names = ""] = EXPORTS.exec(code) ?? [];
  const stubs = names.split(", ").map((name) => `export const ${name} = () => undefined;`);
  return stubs.join("\n");
}
