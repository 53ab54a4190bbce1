import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { SHOWN_PAGES } from "./support/pages/shown-pages.ts";

const robots = readFileSync(new URL("../public/robots.txt", import.meta.url), "utf8");
const closed = Array.from(robots.matchAll(/^Disallow: (\S+)$/gm), ([, prefix = ""]) => prefix);
const isClosed = (path: string) => closed.some((prefix) => path.startsWith(prefix));

test("robots.txt allows every page, and disallows the paths for programs", () => {
  expect(SHOWN_PAGES.filter(isClosed)).toEqual([]);
  expect(["/api/user", "/submissions/campaigns", "/read/stats", "/live"].filter((path) => !isClosed(path))).toEqual([]);
});
