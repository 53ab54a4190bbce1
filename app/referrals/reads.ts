import { CACHE_TIMES } from "../cache/cache-times.ts";
import { defineRead, type Read } from "../cache/read.ts";
import { PAGE_SIZES, STATUSES, type ReferralsQuery } from "./referrals-view.ts";

export const referralsQuery = defineRead("referrals", {
  params: ["page", "limit", "status"],
  source: (api, query: ReferralsQuery) => api.referrals.page(query),
  staleAfter: ["referrals"],
  ...CACHE_TIMES.referrals,
});

/** The friends whose points can be claimed, as many as a page of the list has. */
export const claimableQuery = (read: Read, { limit }: Pick<ReferralsQuery, "limit">) =>
  referralsQuery(read, { page: 1, limit, status: "Claimable" });

/** What the page shows beyond what its shell has read. */
export const shownReads = (read: Read, view: ReferralsQuery) => [
  referralsQuery(read, view),
  claimableQuery(read, view),
];

/**
 * The first page in each size, of all friends and of those of a status, so that the choices are there at once
 * (product specification, section 2). The status is the one in view, or the one members ask for most.
 */
const preloadedReads = (read: Read, { status = STATUSES[0] }: ReferralsQuery) =>
  PAGE_SIZES.flatMap((limit) => [
    referralsQuery(read, { page: 1, limit }),
    referralsQuery(read, { page: 1, limit, status }),
  ]);

/** All that is read for the page. */
export const referralsReads = (read: Read, view: ReferralsQuery) => [
  ...shownReads(read, view),
  ...preloadedReads(read, view),
];
