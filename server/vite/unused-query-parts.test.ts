import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { unusedQueryPartsPlugin } from "./unused-query-parts.ts";

const { transform } = unusedQueryPartsPlugin();
const { filter, handler } = transform as unknown as {
  filter: { id: RegExp };
  handler: (code: string, id: string) => { code: string };
};

/** A dependency of React Query. */
const LIBRARY = new URL("../../../query-core/build/modern/", import.meta.resolve("@tanstack/react-query"));

test("the replacements for parts of React Query export everything that the library uses of them", () => {
  for (const file of ["mutationCache.js", "infiniteQueryBehavior.js", "timeoutManager.js"]) {
    const { href } = new URL(file, LIBRARY);
    expect(href).toMatch(filter.id);
    const [, names = ""] = /^export \{ (.*) \};$/m.exec(readFileSync(new URL(href), "utf8")) ?? [];
    const { code } = handler("", href);
    for (const name of names.split(", ")) expect(code).toMatch(new RegExp(`^export (?:const|class) ${name}\\b`, "m"));
  }
  // The client calls the first one only when asked how many writes there are. Nobody asks.
  const client = readFileSync(new URL("queryClient.js", LIBRARY), "utf8");
  const asked = [...client.matchAll(/this\.#mutationCache\.(\w+)/g)].map(([, name]) => name);
  expect(asked).toEqual(["findAll", "resumePausedMutations", "clear"]);
});
