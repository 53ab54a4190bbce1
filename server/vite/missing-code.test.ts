import { readFileSync } from "node:fs";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { missingCodePlugin } from "./missing-code.ts";

const { transform } = missingCodePlugin();
const { filter, handler } = transform as { filter: { id: RegExp }; handler: (code: string) => { code: string } };

const MODULES = new URL("../../node_modules/react-router/dist/production/lib/dom/ssr/routeModules.js", import.meta.url);

type To = { pathname: string; search: string; hash: string };

/** Returns what the browser does on /dashboard if a page's code cannot be loaded: on the way to `to`, if it is set. */
function fail(to?: To): unknown[] {
  const done: unknown[] = [];
  const location = {
    pathname: "/dashboard",
    assign: (href: string) => done.push(href),
    reload: () => done.push("reloaded"),
  };
  const window = { __reactRouterDataRouter: { state: { navigation: { location: to } } } };
  const error = new Error("It is gone");
  const console = { error: (said: unknown) => expect(said).toBe(error) };
  const { code } = handler(readFileSync(MODULES, "utf8"));
  const [, open = ""] = /catch \(error\) \{(.*)return new Promise/s.exec(code) ?? [];
  runInNewContext(`{${open}}`, { console, error, location, window });
  return done;
}

test("opens the page whose code cannot be loaded instead of reloading the current one", () => {
  expect(filter.id.test(MODULES.pathname)).toBe(true);
  expect(fail({ pathname: "/profile", search: "?activity=2", hash: "#sessions" })).toEqual([
    "/profile?activity=2#sessions",
  ]);
});

test("reloads the page if the browser already shows its address, as after Back", () => {
  expect(fail({ pathname: "/dashboard", search: "", hash: "#entry-1" })).toEqual(["reloaded"]);
  expect(fail()).toEqual(["reloaded"]);
});

test("fails the build if React Router no longer reloads where we expect it", () => {
  expect(() => handler("window.location.assign('/')")).toThrow("React Router has changed");
});
