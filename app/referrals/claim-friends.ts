import { data, redirect } from "react-router";
import { noteEvent } from "../analytics/measuring.ts";
import { ApiError } from "../api/api-error.ts";
import type { ApiClient } from "../client/client.ts";
import { isLastPage } from "../client/referrals.ts";
import type { Referral } from "../../server/referrals/contract.ts";
import { CLAIM_NOTE } from "../claims/claim-outcome.tsx";
import { UNAVAILABLE } from "../claims/claim-points.ts";
import { NO_FIELDS, receiveForMember } from "../forms/receive.ts";
import { say } from "../outcome/outcome.ts";
import { apiContext, type PageArgs } from "../page/context.ts";
import { isRefusedToken } from "../page/page-reads.ts";
import { writeClaimed, type Claimed } from "./claimed.ts";

type Friends = ApiClient["referrals"];

/** Friends on a page of the API, and pages that one form claims: whoever has more claims again. */
const PAGE_SIZE = 25;
const MOST_PAGES = 4;

/**
 * Claims the points for every friend that can be claimed, each by itself, while the backend answers, and shows the page
 * at `href` again.
 */
export function claimFriends({ context, url }: PageArgs, { form, href }: { form: FormData; href: string }) {
  return receiveForMember(
    { context, url },
    { form, schema: NO_FIELDS, unavailable: UNAVAILABLE },
    async () => {
      const claimed = await claimEach(context.get(apiContext).referrals);
      if (claimed.friends > 0) noteEvent(context, { event: "referral_claimed" });
      say(context, CLAIM_NOTE, "all", writeClaimed(claimed));
      return redirect(href, { status: 303 });
    },
    ({ headers, message, status }) => data({ refusal: message }, { status, headers }),
  );
}

/** Throws what the first claim failed for, where none went through. */
async function claimEach(friends: Friends): Promise<Claimed> {
  const claimed: Claimed = { friends: 0, points: 0, failed: 0 };
  const failures: unknown[] = [];
  const claimable = await listClaimable(friends);
  for (const { id, invitedPoints } of claimable) {
    const failure = await claimOne(friends, id);
    if (failure) failures.push(failure);
    else {
      claimed.friends += 1;
      // Where one worth is unknown, so is the sum: then none is said.
      claimed.points += invitedPoints ?? Number.NaN;
    }
    // Seconds for each of a hundred friends would be minutes, and whoever waits has left by then.
    if (isAway(failure)) break;
  }
  // Another tab was quicker: those points are the member's.
  const real = failures.filter((failure) => !(failure instanceof ApiError && failure.status === 409));
  if (real.length > 0 && claimed.friends === 0) throw real[0];
  const unasked = claimable.length - claimed.friends - failures.length;
  return { ...claimed, failed: real.length + unasked };
}

/** Whether the backend has not answered, or said that it is not there, or that this is too much. */
const isAway = (failure: unknown) =>
  failure instanceof ApiError && (failure.code === "NETWORK_ERROR" || failure.status > 500 || failure.status === 429);

/** Resolves to why it failed, or to null. Throws where the session is over. */
async function claimOne(friends: Friends, id: string): Promise<unknown> {
  try {
    await friends.claim(id);
    return null;
  } catch (error) {
    if (isRefusedToken(error)) throw error;
    return error;
  }
}

async function listClaimable(friends: Friends) {
  const found = new Map<string, Referral>();
  for (let page = 1; page <= MOST_PAGES; page += 1) {
    const answer = await friends.page({ page, limit: PAGE_SIZE, status: "Claimable" });
    // By id: a backend that takes no page number sends the same friends again.
    for (const friend of answer.referrals) found.set(friend.id, friend);
    if (isLastPage(answer, { page, limit: PAGE_SIZE })) break;
  }
  return [...found.values()];
}
