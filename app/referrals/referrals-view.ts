import type { ReferralStatus } from "../../server/referrals/contract.ts";
import { withParams } from "../ui/with-params.ts";
import { readPage } from "../ui/table/pagination.ts";

/** What the address asks for: a page of the friends. */
export type ReferralsQuery = { page: number; limit: number; status?: ReferralStatus };

/** Friends on a page; the second is the usual one (product specification, section 9). */
export const PAGE_SIZES = [5, 10, 25] as const;
const USUAL_SIZE = 10;
export const STATUSES = ["Claimable", "Pending", "Success"] as const satisfies ReferralStatus[];

/** What an address asks for; what it says wrongly is as usual. */
export function readReferralsView(params: URLSearchParams): ReferralsQuery {
  const limit = PAGE_SIZES.find((size) => String(size) === params.get("limit")) ?? USUAL_SIZE;
  const status = STATUSES.find((each) => each === params.get("status"));
  return { page: readPage(params.get("page")), limit, ...(status && { status }) };
}

/** The address of a page of friends; what is as usual is left out of it. */
export function referralsHref({ page, limit, status }: ReferralsQuery): string {
  return withParams("/referrals", {
    status,
    limit: limit === USUAL_SIZE ? undefined : limit,
    page: page === 1 ? undefined : page,
  });
}
