import type { ReferralStatus } from "../../server/referrals/contract.ts";
import { withParams } from "../ui/with-params.ts";
import { readPage } from "../ui/table/pagination.ts";

/** Which page of the friends the address asks for. */
export type ReferralsQuery = { page: number; limit: number; status?: ReferralStatus };

/** How many friends a page may have. The second is the default (product specification, section 9). */
export const PAGE_SIZES = [5, 10, 25] as const;
const USUAL_SIZE = 10;
export const STATUSES = ["Claimable", "Pending", "Success"] as const satisfies ReferralStatus[];

/** Reads the view from a query string. Invalid values get their defaults. */
export function readReferralsView(params: URLSearchParams): ReferralsQuery {
  const limit = PAGE_SIZES.find((size) => String(size) === params.get("limit")) ?? USUAL_SIZE;
  const status = STATUSES.find((each) => each === params.get("status"));
  return { page: readPage(params.get("page")), limit, ...(status && { status }) };
}

/** Returns the address of a page of friends. Defaults are left out. */
export function referralsHref({ page, limit, status }: ReferralsQuery): string {
  return withParams("/referrals", {
    status,
    limit: limit === USUAL_SIZE ? undefined : limit,
    page: page === 1 ? undefined : page,
  });
}
