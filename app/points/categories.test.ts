import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { categoryStyle } from "./categories.ts";

const css = readFileSync(new URL("../ui/styles/tokens.css", import.meta.url), "utf8");
/** Returns every value of a colour in the themes, except for the forced colours that replace them. */
const valuesOf = (name: string) =>
  Array.from(
    css.slice(0, css.indexOf("@media (forced-colors")).matchAll(new RegExp(`--color-${name}: (.+);`, "g")),
  ).map(([, value]) => value);

const CATEGORIES = ["connectivity", "referral", "others", "rewards"];

// specification: 3.11
test("each category has its own colour in both themes, in any letter case", () => {
  for (const category of CATEGORIES) {
    for (const name of [category, category.toUpperCase()]) {
      expect(categoryStyle(name)).toEqual({ fill: `fill-${category}`, mark: `bg-${category}` });
    }
  }
  const colours = CATEGORIES.flatMap(valuesOf);
  expect(colours).toHaveLength(8);
  expect(new Set(colours).size).toBe(8);
});

// specification: 3.12
test.each(["airdrop", "", null, "constructor"])("the category %j is black, in both themes", (category) => {
  expect(categoryStyle(category)).toMatchObject({
    fill: expect.stringMatching(/^fill-uncategorised /),
    mark: expect.stringMatching(/^bg-uncategorised /),
  });
  expect(valuesOf("uncategorised")).toEqual(["oklch(0 0 0)"]);
});
