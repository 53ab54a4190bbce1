import type { Plugin } from "vite";

/**
 * Names for developers' tools, and calls that only make something: a bundler cannot know that leaving them out is safe.
 */
const NAME = /^\w+\.displayName = .*;$/gm;
const MAKING = /^(const \w+ = )(?=React(?:\$\d+)?\.(?:forwardRef|createContext|memo)\()/gm;

/** The scripts of a page without a document of its own: ours has one, and starts itself (app/page/start-script.tsx). */
const SCRIPTS = /renderScripts \? [^:]* : null/;

/** Words for developers in a script of its error page, which no browser runs: React has made it. */
const FOR_DEVELOPERS = /\tlet heyDeveloper = [^`]*`[^`]*` \}\n\t\}\);\n|, heyDeveloper\b/g;

/** Whether the page is made of server components, by a context that only those set. */
const SERVER_COMPONENTS = /\bthis\.context\b/g;

/**
 * Asking for routes as they are needed, since ours come at once (react-router.config.ts), telling who looks on, and
 * what pages link to: the document has all of it (app/root.tsx).
 */
const SWITCHED_OFF = /\/(?:fog-of-war|instrumentation|links)\.js/;
const EXPORTS = /^export \{ (.*) \};$/m;

/**
 * Lets the browser do without those parts of React Router that no page uses, such as its own links: each of its
 * components is given a name, which counts as a use. What is switched off is asked all the same, and tells nothing.
 */
export const unusedRouterPartsPlugin = (): Plugin => ({
  name: "nodebeat:unused-router-parts",
  applyToEnvironment: ({ name }) => name === "client",
  transform: {
    filter: { id: /\/node_modules\/react-router\/dist\/production\// },
    handler: (code, id) => ({ code: SWITCHED_OFF.test(id) ? tellNothing(code) : leaveOut(code), map: null }),
  },
});

const leaveOut = (code: string) =>
  code
    .replaceAll(NAME, "")
    .replaceAll(MAKING, "$1/* @__PURE__ */ ")
    .replace(SCRIPTS, "null")
    .replaceAll(FOR_DEVELOPERS, "")
    .replaceAll(SERVER_COMPONENTS, "false");

/** Everything that a module exports, under the same names. */
function tellNothing(code: string): string {
  const [, names = ""] = EXPORTS.exec(code) ?? [];
  const told = names.split(", ").map((name) => `export const ${name} = () => undefined;`);
  return told.join("\n");
}
