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
