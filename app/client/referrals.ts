import type * as z from "zod";
import {
  claimReferral,
  readReferrals,
  type Referral,
  type Referrals,
  type ReferralStatus,
} from "../../server/referrals/contract.ts";
import { claimReward } from "../../server/rewards/contract.ts";
import { ApiError } from "../api/api-error.ts";
import type { Caller } from "../api/call.ts";
import { isMissing } from "../api/missing-calls.ts";
import { textId, utcTime } from "./loose-responses.ts";
import { CLAIMED } from "./rewards.ts";
import { WRITE_RETRIES } from "./write-retries.ts";

type ReferralsQuery = z.output<typeof readReferrals.query>;

/** How many pages to read at most of a list that is filtered here, each of the largest size. */
const MAX_PAGES = 20;
const PAGE_SIZE = 25;

/** Creates the calls about the friends whom a member has invited. */
export function createReferralsClient(call: Caller) {
  let everybody: Promise<Referral[]> | undefined;

  /**
   * Filters by status here if the backend sends friends of any status, or refuses a status (the specification has
   * none).
   */
  async function readPage(query: ReferralsQuery): Promise<Referrals> {
    const { limit, page, status } = query;
    const [answer, isSifted] = await readSome(call, query).then(
      (sifted) => [sifted, true] as const,
      async (error: unknown) => {
        if (!status || !isRefused(error)) throw error;
        return [await readSome(call, { page, limit }), false] as const;
      },
    );
    const isAsked = (friend: Referral) => friend.status === status;
    if (!status || !Array.isArray(answer.referrals)) return answer;
    if (isSifted && answer.referrals.every(isAsked) && !countsOthers(answer, status)) return answer;
    everybody ??= readEverybody(call);
    const found = (await everybody).filter(isAsked);
    return {
      ...answer,
      referrals: found.slice((page - 1) * limit, page * limit),
      pagination: { limit, page, total: found.length, totalPages: Math.ceil(found.length / limit) },
    };
  }

  /**
   * Uses the call for every kind of claim if the backend has none for friends. Reads nothing first if the caller has
   * just read that the friend is still to be claimed.
   */
  async function claim(id: string, { isUndone = false } = {}) {
    const rules = { retries: WRITE_RETRIES.claim, isUndone, findOutcome: () => findClaimed(call, id) };
    try {
      return await call(claimReferral, { params: { id } }, rules);
    } catch (error) {
      if (!isMissing(error)) throw error;
      return call(claimReward, { params: { id } }, rules).catch((other: unknown) => {
        throw isMissing(other) ? error : other;
      });
    }
  }
  return { page: readPage, claim };
}

/** Returns whether a backend has refused the query. */
const isRefused = (error: unknown) => error instanceof ApiError && [400, 422].includes(error.status);

/** Returns whether a list claims more friends than have its status. Then those on its other pages have another one. */
function countsOthers({ pagination, referrals, stats }: Referrals, status: ReferralStatus): boolean {
  // In the specification, what can be claimed is pending too.
  const most = status === "Success" ? stats?.successfulReferralsAmount : stats?.pendingReferralsAmount;
  const isPart = referrals.length > 0 && pagination?.total > referrals.length;
  return isPart && pagination.total > most;
}

/** Returns the outcome if a friend's points are the member's by now, or null. */
async function findClaimed(call: Caller, id: string) {
  const friend = (await readEverybody(call)).find((each) => each.id === id);
  return friend?.status === "Success" ? CLAIMED : null;
}

async function readSome(call: Caller, query: ReferralsQuery): Promise<Referrals> {
  const answer = await call(readReferrals, { query });
  return { ...answer, referrals: utcTime.each(textId.each(answer.referrals, "id"), "invitedAt") };
}

async function readEverybody(call: Caller): Promise<Referral[]> {
  const all: Referral[] = [];
  for (let page = 1; page <= MAX_PAGES; page += 1) {
    const answer = await readSome(call, { page, limit: PAGE_SIZE });
    all.push(...answer.referrals);
    if (isLastPage(answer, { page, limit: PAGE_SIZE })) break;
  }
  return all;
}

/**
 * Returns whether no page follows. If a backend does not say how many pages there are, the next may be the same again.
 */
export function isLastPage({ pagination }: Referrals, { page, limit }: { page: number; limit: number }): boolean {
  const pages = pagination?.totalPages ?? Math.ceil((pagination?.total ?? 0) / limit);
  return !(page < pages);
}
