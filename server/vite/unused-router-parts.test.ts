import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import config from "../../react-router.config.ts";
import { unusedRouterPartsPlugin } from "./unused-router-parts.ts";

const { transform } = unusedRouterPartsPlugin();
const { handler } = transform as { handler: (code: string, id: string) => { code: string } };

const ROUTER = new URL("../../node_modules/react-router/dist/production/lib/", import.meta.url);

/** Returns what the plugin makes of a file of the router. */
function handle(file: string): string {
  const { href } = new URL(file, ROUTER);
  return handler(readFileSync(new URL(href), "utf8"), href).code;
}

test("marks components as removable that are only created and named", () => {
  const { code } = handler(
    [
      `const Link = React$1.forwardRef(function LinkWithRef() {`,
      `});`,
      `Link.displayName = "Link";`,
      `const Context = React.createContext(null);`,
      `Context.displayName = "Context";`,
      `const made = makeSomething();`,
    ].join("\n"),
    "/node_modules/react-router/dist/production/lib/dom/lib.js",
  );
  expect(code.split("\n").filter(Boolean)).toEqual([
    `const Link = /* @__PURE__ */ React$1.forwardRef(function LinkWithRef() {`,
    `});`,
    `const Context = /* @__PURE__ */ React.createContext(null);`,
    `const made = makeSomething();`,
  ]);
});

/** Lists the exports of a file of the router that now return nothing. */
const listSilent = (file: string) =>
  [...handle(file).matchAll(/^export const (\w+) = \(\) => undefined;$/gm)].map(([, name]) => name);

test("replaces the features of the router that we switch off with functions that return undefined", () => {
  expect(config.routeDiscovery).toEqual({ mode: "initial" });
  expect(listSilent("dom/ssr/fog-of-war.js")).toEqual(
    expect.arrayContaining(["getPatchRoutesOnNavigationFunction", "isFogOfWarEnabled", "useFogOFWarDiscovery"]),
  );
  expect(listSilent("router/instrumentation.js")).toEqual(
    expect.arrayContaining([
      "consumeInstrumentationClientResultMetaReceiver",
      "getRouteInstrumentationUpdates",
      "instrumentClientSideRouter",
    ]),
  );
  expect(listSilent("dom/ssr/links.js")).toEqual(expect.arrayContaining(["prefetchRouteCss", "prefetchStyleLinks"]));
  for (const file of ["dom/ssr/fog-of-war.js", "dom/ssr/links.js", "router/instrumentation.js"])
    expect(handle(file)).not.toMatch(/\bimport\b|\bfunction\b/);
});

test("removes the document that the router renders around errors", () => {
  expect(handle("dom/ssr/errorBoundaries.js")).toContain("BoundaryShell");
  expect(handle("dom/ssr/errorBoundaries.js")).not.toContain("createElement(Scripts");
  expect(handle("dom/ssr/errorBoundaries.js")).not.toContain("heyDeveloper");
});

test("removes the error handling for server components", () => {
  const source = readFileSync(new URL("hooks.js", ROUTER), "utf8");
  // Nothing else uses this name: it is the context of the only class that has one.
  expect(source.match(/\bthis\.context\b/g)).toHaveLength(2);
  expect(source.match(/static contextType = (\w+);/)?.[1]).toBe("RSCRouterContext");
  expect(handle("hooks.js")).toContain("if (false) return");
});
