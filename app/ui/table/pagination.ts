import type { DerivedPagination } from "../../../server/http/contract.ts";

/** Pages are counted from 1; without rows there are none. */
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

/** As many pages as the API counts. */
const MAX_PAGE = 1_000_000;

/** The number of a page in an address; undefined for what is none. */
export function toPage(text: string): number | undefined {
  const page = Number(text);
  return /^\d+$/.test(text) && page >= 1 ? Math.min(page, MAX_PAGE) : undefined;
}

/** The same; the first page for what is none. */
export const readPage = (text: string | null): number => toPage(text ?? "") ?? 1;
