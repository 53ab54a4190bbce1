import { referralsQuery } from "../api/queries.ts";
import type { Read, ReadName } from "../api/reads.ts";
import { PAGE_SIZES, STATUSES, type ReferralsView } from "./referrals-view.ts";

/** What the page shows beyond what its shell has read. */
export const shownReads = (read: Read, { list }: ReferralsView) => [referralsQuery(read, list)];

/**
 * The first page in each size, of all friends and of those of a status, so that the choices are there at once
 * (product specification, section 2). The status is the one in view, or the one members ask for most.
 */
export const preloadedReads = (read: Read, { list: { status = STATUSES[0] } }: ReferralsView) =>
  PAGE_SIZES.flatMap((limit) => [
    referralsQuery(read, { page: 1, limit }),
    referralsQuery(read, { page: 1, limit, status }),
  ]);

/** What a claim changes. */
export const CHANGED: ReadName[] = ["referrals", "stats", "points-log", "points-history"];
