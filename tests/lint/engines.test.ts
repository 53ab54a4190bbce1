import { expect, test } from "vitest";
import { lintFiles } from "./lint-files.ts";

const FOUND = {
  "a row that its link is to stretch over": `<tr className="relative hover:bg-sunken" />`,
  "a table's rows by a function": `<Table rowClass={({ id }) => (id ? "relative hover:bg-sunken" : "")} />`,
  "a command": `<button type="button" command="show-modal" />`,
  "what a command is for": `<button type="button" commandfor="dialog" />`,
  "the same as React writes it": `<button type="button" commandFor="dialog" />`,
  "a grid that a dialog stretches": "<dialog className={`open:grid ${PADDED}`} />",
  "a look at what is empty inside": `<div className="mb-4 has-[output:empty]:hidden" />`,
  "a look at whether what comes next is empty": `<div className="has-[+:not(:empty)]:opacity-0" />`,
  "what the floor lacks": `URL.parse("/")`,
};

const FINE = [
  `<tr className="translate-0" />`,
  `<div className="relative" />`,
  `<Option command={1} />`,
  `<dialog className="open:grid open:content-start" />`,
  `<output className="empty:hidden" />`,
  `URL.canParse("/")`,
];

/** Lints one file for each part of a page. */
const lint = (parts: string[]) =>
  lintFiles(
    Object.fromEntries(parts.map((jsx, index) => [`app/ui/part-${index}.tsx`, `export const part = ${jsx};`])),
    "engines",
  );

test("reports code that one of the engines does not support", async () => {
  const found = await lint(Object.values(FOUND));
  const places = found.map((line) => Object.keys(FOUND)[Number(/part-(\d)/.exec(line)?.[1])]);
  expect(places).toHaveLength(Object.keys(FOUND).length);
  expect(new Set(places)).toEqual(new Set(Object.keys(FOUND)));
});

test("accepts code that all engines support", async () => {
  expect(await lint(FINE)).toEqual([]);
});
