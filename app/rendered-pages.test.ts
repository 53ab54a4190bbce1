import { expect, test } from "vitest";
import { createRenderedPages } from "./rendered-pages.ts";

const URL = "http://nodebeat.test/dashboard";

type Pages = ReturnType<typeof createRenderedPages>;

/** Asks for a page until it is to be kept, and hands over what was rendered. */
function render(pages: Pages, data: string, values: string[], html: string) {
  expect(pages.find(URL, data, values)).toEqual({});
  pages.find(URL, data, values).store?.(html);
}

test("the same URL and data give the same document, with each response's own one-time values", () => {
  const pages = createRenderedPages();
  render(pages, "data with token-1", ["nonce-1", "token-1"], "<a nonce-1><b token-1><c nonce-1>");

  expect(pages.find(URL, "data with token-2", ["nonce-2", "token-2"])).toEqual({
    html: "<a nonce-2><b token-2><c nonce-2>",
  });
  expect(pages.find(URL, "data with token-1", ["nonce-1", "token-1"])).toEqual({
    html: "<a nonce-1><b token-1><c nonce-1>",
  });
});

test("another URL, other data or another number of values is not served from the cache", () => {
  const pages = createRenderedPages();
  render(pages, "points of ana", ["nonce-1"], "ana's page");

  expect(pages.find(`${URL}?page=2`, "points of ana", ["nonce-2"])).toEqual({});
  expect(pages.find(URL, "points of jo", ["nonce-2"])).toEqual({});
  expect(pages.find(URL, "points of ana, token", ["nonce-2", "token"])).toEqual({});
});

test("keeps a document from its second request on", () => {
  const pages = createRenderedPages();
  expect(pages.find(URL, "points", ["nonce-1"]).store).toBeUndefined();
  const second = pages.find(URL, "points", ["nonce-2"]);
  expect(second.html).toBeUndefined();
  second.store?.("<a nonce-2>");
  expect(pages.find(URL, "points", ["nonce-3"]).html).toBe("<a nonce-3>");
});

test("evicts the least recently used documents first", () => {
  const pages = createRenderedPages(4_000);
  const html = "x".repeat(350);
  for (const name of ["a", "b", "c"]) render(pages, name, [], html);
  for (let index = 0; index < 10; index += 1) {
    pages.find(URL, "a", []);
    render(pages, `more ${index}`, [], html);
  }

  expect(pages.find(URL, "a", []).html).toBe(html);
  expect(pages.find(URL, "b", []).html).toBeUndefined();
  expect(pages.find(URL, "more 9", []).html).toBe(html);
});

test("remembers only the latest of the pages that were requested once", () => {
  const pages = createRenderedPages();
  pages.find(URL, "first", []);
  for (let index = 0; index < 10_000; index += 1) pages.find(URL, `more ${index}`, []);
  expect(pages.find(URL, "first", [])).toEqual({});
  expect(pages.find(URL, "more 9999", []).store).toBeDefined();
});

test("a document that would take too much room is not kept", () => {
  const pages = createRenderedPages(4_000);
  render(pages, "large", [], "x".repeat(500));

  expect(pages.find(URL, "large", []).html).toBeUndefined();
});
