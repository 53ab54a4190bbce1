import { data, redirect } from "react-router";
import { queueEvent } from "../analytics/measuring.ts";
import { ApiError } from "../api/api-error.ts";
import type { ApiClient } from "../client/client.ts";
import { isLastPage } from "../client/referrals.ts";
import type { Referral } from "../../server/referrals/contract.ts";
import { CLAIM_NOTE } from "../claims/claim-outcome.tsx";
import { UNAVAILABLE } from "../claims/claim-points.ts";
import { NO_FIELDS, receiveForMember } from "../forms/receive.ts";
import { leaveOutcome } from "../outcome/outcome.ts";
import { apiContext, type PageArgs } from "../page/context.ts";
import { isRefusedToken } from "../page/page-reads.ts";
import { writeClaimed, type Claimed } from "./claimed.ts";

type Friends = ApiClient["referrals"];

/**
 * How many friends a page of the API has, and how many pages one form claims. Members with more friends claim again.
 */
const PAGE_SIZE = 25;
const MOST_PAGES = 4;

/**
 * Claims the points for every claimable friend, one at a time, for as long as the backend answers. Then shows the page
 * at `href` again.
 */
export function claimFriends({ context, url }: PageArgs, { form, href }: { form: FormData; href: string }) {
  return receiveForMember(
    { context, url },
    { form, schema: NO_FIELDS, unavailable: UNAVAILABLE },
    async () => {
      const claimed = await claimEach(context.get(apiContext).referrals);
      if (claimed.friends > 0) queueEvent(context, { event: "referral_claimed" });
      leaveOutcome(context, CLAIM_NOTE, "all", writeClaimed(claimed));
      return redirect(href, { status: 303 });
    },
    ({ headers, message, status }) => data({ refusal: message }, { status, headers }),
  );
}

/** Claims the points for one friend after another. Throws the first error if no claim went through. */
async function claimEach(friends: Friends): Promise<Claimed> {
  const failures: unknown[] = [];
  const { claimable, hasMore } = await listClaimable(friends);
  const claimed: Claimed = { friends: 0, points: 0, failed: 0, hasMore };
  for (const { id, invitedPoints } of claimable) {
    const failure = await claimOne(friends, id);
    if (failure) failures.push(failure);
    else {
      claimed.friends += 1;
      // If one friend's points are unknown, so is the sum. Then the note has no sum.
      claimed.points += invitedPoints ?? Number.NaN;
    }
    // At a few seconds each, a hundred friends would take minutes, and the member would be gone by then.
    if (shouldStopClaiming(failure)) break;
  }
  // Another tab was faster: the member has those points.
  const real = failures.filter((failure) => !(failure instanceof ApiError && failure.status === 409));
  if (real.length > 0 && claimed.friends === 0) throw real[0];
  const unasked = claimable.length - claimed.friends - failures.length;
  return { ...claimed, failed: real.length + unasked };
}

/** Returns whether the backend did not answer, is unavailable, or limits the rate. */
const shouldStopClaiming = (failure: unknown) =>
  failure instanceof ApiError && (failure.code === "NETWORK_ERROR" || failure.status > 500 || failure.status === 429);

/** Resolves to the error, or to null if it went through. Throws if the session is over. */
async function claimOne(friends: Friends, id: string): Promise<unknown> {
  try {
    await friends.claim(id, { isUndone: true });
    return null;
  } catch (error) {
    if (isRefusedToken(error)) throw error;
    return error;
  }
}

async function listClaimable(friends: Friends) {
  const found = new Map<string, Referral>();
  let hasMore = true;
  for (let page = 1; hasMore && page <= MOST_PAGES; page += 1) {
    const answer = await friends.page({ page, limit: PAGE_SIZE, status: "Claimable" });
    // By id: a backend that ignores the page number sends the same friends again.
    for (const friend of answer.referrals) found.set(friend.id, friend);
    hasMore = !isLastPage(answer, { page, limit: PAGE_SIZE });
  }
  return { claimable: [...found.values()], hasMore };
}
