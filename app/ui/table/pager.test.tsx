import { renderToStaticMarkup } from "react-dom/server";
import { MemoryRouter } from "react-router";
import { expect, test } from "vitest";
import { Pager } from "./pager.tsx";

function pager(page: number, total: number) {
  const html = renderToStaticMarkup(
    <MemoryRouter>
      <Pager label="Pages" page={page} pageSize={10} total={total} hrefFor={(other) => `/log?page=${other}`} />
    </MemoryRouter>,
  );
  const links = Array.from(html.matchAll(/<a [^>]*href="([^"]*)"[^>]*>(\w+)/g), ([, href, text]) => `${text} ${href}`);
  return { text: html.replace(/<[^>]+>/g, " "), links };
}

test("the first page links to the next page only", () => {
  const { text, links } = pager(1, 1874);
  expect(text).toContain("1–10 of 1.874");
  expect(links).toEqual(["Next /log?page=2"]);
});

test("a middle page links to the previous and the next page", () => {
  expect(pager(2, 35).links).toEqual(["Previous /log?page=1", "Next /log?page=3"]);
});

test("the last page counts its rows and links to the previous page only", () => {
  const { text, links } = pager(4, 35);
  expect(text).toContain("31–35 of 35");
  expect(links).toEqual(["Previous /log?page=3"]);
});

test("an empty list shows 0–0 of 0 and links to no other page", () => {
  const { text, links } = pager(1, 0);
  expect(text).toContain("0–0 of 0");
  expect(links).toEqual([]);
});
