import { expect, test } from "vitest";
import { DOCUMENTS } from "./documents.ts";
import { readSource, writeSource } from "./source.ts";

test.each(Object.values(DOCUMENTS).flat())(
  "$title $version is the same after it is written as source and read back",
  ({ sections }) => {
    expect(readSource(writeSource(sections))).toEqual(sections);
  },
);

test("reads HTML and links as plain text", () => {
  const [section] = readSource(
    "# <b>A</b> & B\r\n<script>alert(1)</script>\nand on\n\n* one\n  two\n* [a](javascript:b)",
  );
  expect(section).toEqual({
    id: "b-a-b-b",
    title: "<b>A</b> & B",
    text: ["<script>alert(1)</script> and on", ["one two", "[a](javascript:b)"]],
  });
});

test.each([
  ["spaces before a heading", `## ${" ".repeat(59_000)}Long {#long}\n\ntext`, "Long"],
  ["spaces in a heading", `## Long${" ".repeat(50_000)}one {#long}\n\ntext`, `Long${" ".repeat(50_000)}one`],
  ["a line that ends in the middle", `## ${" ".repeat(59_000)}Long\u2028and on`, "Long"],
  ["hyphens", `## Long\n\n${"- ".repeat(25_000)}`, "Long"],
  ["braces", `## Long${"{#".repeat(25_000)} {#long}\n\ntext`, `Long${"{#".repeat(25_000)}`],
])("reads a text of the maximum length without delay: %s", (_, source, title) => {
  expect(readSource(source)[0]?.title).toBe(title);
});
