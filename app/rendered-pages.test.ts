import { expect, test } from "vitest";
import { createRenderedPages } from "./rendered-pages.ts";

const URL = "http://nodebeat.test/dashboard";

test("the same address and data give the same document, with the answer's own values in their places", () => {
  const pages = createRenderedPages();
  pages.keep(URL, "data with token-1", ["nonce-1", "token-1"], "<a nonce-1><b token-1><c nonce-1>");

  expect(pages.find(URL, "data with token-2", ["nonce-2", "token-2"])).toBe("<a nonce-2><b token-2><c nonce-2>");
  expect(pages.find(URL, "data with token-1", ["nonce-1", "token-1"])).toBe("<a nonce-1><b token-1><c nonce-1>");
});

test("another address, other data or one value more or less is another document", () => {
  const pages = createRenderedPages();
  pages.keep(URL, "points of ana", ["nonce-1"], "ana's page");

  expect(pages.find(`${URL}?page=2`, "points of ana", ["nonce-2"])).toBeUndefined();
  expect(pages.find(URL, "points of jo", ["nonce-2"])).toBeUndefined();
  expect(pages.find(URL, "points of ana, token", ["nonce-2", "token"])).toBeUndefined();
});

test("the documents that were not asked for longest make room", () => {
  const pages = createRenderedPages(4_000);
  const html = "x".repeat(300);
  for (const name of ["a", "b", "c"]) pages.keep(URL, name, [], html);
  pages.find(URL, "a", []);
  for (let index = 0; index < 10; index += 1) pages.keep(URL, `more ${index}`, [], html);

  expect(pages.find(URL, "b", [])).toBeUndefined();
  expect(pages.find(URL, "more 9", [])).toBe(html);
});

test("a document that would take too much room is not kept", () => {
  const pages = createRenderedPages(4_000);
  pages.keep(URL, "large", [], "x".repeat(500));

  expect(pages.find(URL, "large", [])).toBeUndefined();
});
