import { expect, test } from "vitest";
import { DerivedPagination } from "../../../server/http/contract.ts";
import { derivePagination, readPage } from "./pagination.ts";

// specification: 3.48
test("the number of pages is the rows divided by the page size, rounded up", () => {
  const pagination = derivePagination(2, 10, 23);

  expect(pagination).toEqual({
    currentPage: 2,
    pageSize: 10,
    totalPages: 3,
    total: 23,
    hasNextPage: true,
    hasPreviousPage: true,
  });
  expect(DerivedPagination.parse(pagination)).toEqual(pagination);
});

// specification: 3.48
test("the first page has no previous page, the last no next page, and an empty list no pages", () => {
  expect(derivePagination(1, 10, 20)).toMatchObject({ totalPages: 2, hasNextPage: true, hasPreviousPage: false });
  expect(derivePagination(2, 10, 20)).toMatchObject({ totalPages: 2, hasNextPage: false, hasPreviousPage: true });
  expect(derivePagination(1, 10, 0)).toMatchObject({ totalPages: 0, hasNextPage: false, hasPreviousPage: false });
});

test.each([
  ["3", 3],
  [null, 1],
  ["0", 1],
  ["-2", 1],
  ["1.5", 1],
  ["two", 1],
  ["99999999999999999999", 1_000_000],
])("a page parameter of %j opens page %d", (text, page) => {
  expect(readPage(text)).toBe(page);
});
