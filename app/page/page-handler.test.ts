import { matchRoutes, type RouteObject } from "react-router";
import { expect, test } from "vitest";
import { createServerBuild } from "../../tests/support/servers/server-build.ts";
import { listPlainPaths } from "./page-handler.ts";

const { routes } = createServerBuild();
const plain = new Map(listPlainPaths(routes));

/** Builds the tree that React Router matches addresses with. */
const toTree = (parentId?: string): RouteObject[] =>
  Object.values(routes)
    .filter((route) => route !== undefined && route.parentId === parentId)
    .map((route) =>
      route?.index ? { id: route.id, index: true } : { id: route?.id, path: route?.path, children: toTree(route?.id) },
    );

test("an address without parameters has the routes that React Router would find among all routes", () => {
  const tree = toTree();
  expect(plain.size).toBeGreaterThan(25);
  const found = [...plain.keys()].map((path) => [path, matchRoutes(tree, path)?.map(({ route }) => route.id)]);
  expect([...plain].map(([path, its]) => [path, Object.keys(its)])).toEqual(found);
});

test.each(["/", "/auth", "/auth/verify", "/dashboard", "/profile/data", "/legal/terms", "/live"])(
  "%s has routes of its own",
  (path) => expect(plain.has(path)).toBe(true),
);

test("an address with parameters has none", () => {
  expect([...plain.keys()].filter((path) => /^\/(?:terms|privacy|wallet|shell|read|admin)\b/.test(path))).toEqual([]);
});
