import type { DerivedPagination } from "../../../server/http/contract.ts";

/** Derives the pagination of `total` rows. Pages are counted from 1. Without rows there are no pages. */
export function derivePagination(page: number, pageSize: number, total: number): DerivedPagination {
  const totalPages = Math.ceil(total / pageSize);
  return {
    currentPage: page,
    pageSize,
    totalPages,
    total,
    hasNextPage: page < totalPages,
    hasPreviousPage: page > 1,
  };
}

/** The highest page number that the API accepts. */
const MAX_PAGE = 1_000_000;

/** Reads a page number from an address. Returns undefined if the text is not one. */
export function toPage(text: string): number | undefined {
  const page = Number(text);
  return /^\d+$/.test(text) && page >= 1 ? Math.min(page, MAX_PAGE) : undefined;
}

/** Reads a page number from an address. Returns the first page if the text is not one. */
export const readPage = (text: string | null): number => toPage(text ?? "") ?? 1;
