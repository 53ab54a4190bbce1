import { CACHE_TIMES } from "../cache/cache-times.ts";
import { defineRead, type Read } from "../cache/read.ts";
import { PAGE_SIZES, STATUSES, type ReferralsQuery } from "./referrals-view.ts";

export const referralsQuery = defineRead("referrals", {
  params: ["page", "limit", "status"],
  source: (api, query: ReferralsQuery) => api.referrals.page(query),
  staleAfter: ["referrals"],
  ...CACHE_TIMES.referrals,
});

/** Reads the friends whose points can be claimed, up to a page of the list. */
export const claimableQuery = (read: Read, { limit }: Pick<ReferralsQuery, "limit">) =>
  referralsQuery(read, { page: 1, limit, status: "Claimable" });

/** Reads that the page shows in addition to those of its shell. */
export const shownReads = (read: Read, view: ReferralsQuery) => [
  referralsQuery(read, view),
  claimableQuery(read, view),
];

/**
 * Reads the first page in each size, both of all friends and of one status, so that these choices open at once (product
 * specification, section 2). The status is the one in view, or the one that members ask for most.
 */
const preloadedReads = (read: Read, { status = STATUSES[0] }: ReferralsQuery) =>
  PAGE_SIZES.flatMap((limit) => [
    referralsQuery(read, { page: 1, limit }),
    referralsQuery(read, { page: 1, limit, status }),
  ]);

/** Loads everything that the page shows, and what it preloads. */
export const referralsReads = (read: Read, view: ReferralsQuery) => [
  ...shownReads(read, view),
  ...preloadedReads(read, view),
];
