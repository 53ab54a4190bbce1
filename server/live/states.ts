import type { Deps } from "../deps.ts";
import { MAX_AGE_MS } from "../heartbeats/beat-window.ts";
import type { UserStats } from "../points/contract.ts";
import { toStats } from "../points/service.ts";
import { utcDay } from "../points/utc-day.ts";
import { runningAt } from "../sessions/service.ts";
import { toEventId, type PartStates } from "./parts.ts";
import { findStates, type LiveState } from "./queries.ts";

/** Who is looking: a member, in one of their sessions. */
export type Watcher = { userId: string; sessionId: string };

/** What there is to know of a member at one moment, and the id that stands for all of it; mostly that is enough. */
export type MemberState = { id: string; stats: () => UserStats };

/**
 * Milliseconds for which a session may be due at its authentication provider: whoever has just been let in has seen to
 * that a moment ago.
 */
const DUE_FOR = 1000;

/**
 * The states of members, by session. A session that has ended is missing; so is one that is due at its provider, since
 * only coming back renews it, or tells that the provider has ended it.
 */
export async function readStates({ db, now }: Pick<Deps, "db" | "now">, watchers: readonly Watcher[]) {
  const at = now();
  const today = utcDay(at);
  const found = await findStates(db).execute({
    userIds: watchers.map(({ userId }) => userId),
    sessionIds: watchers.map(({ sessionId }) => sessionId),
    now: at.toISOString(),
    idleSince: runningAt(at).idleSince.toISOString(),
    dueSince: new Date(at.getTime() - DUE_FOR).toISOString(),
    today,
    // A job counts for the day on which it was finished: none of earlier days comes any more.
    reportedFrom: utcDay(new Date(at.getTime() - MAX_AGE_MS)),
  });
  return new Map(found.map((row): [string, MemberState] => [row.sessionId, toState(row, today)]));
}

function toState(row: LiveState, today: string): MemberState {
  return { id: toEventId(toParts(row, today)), stats: () => toStats(row.userId, row, today) };
}

/** Charts go up to today: at midnight they are others, also where nothing happens on the new day. */
const toParts = (row: LiveState, today: string): PartStates => ({
  points: [row.connectivity, row.referral, row.rewards, row.others, row.today, today],
  heartbeats: [row.heartbeats, row.lastBeatAt, row.refusedAt],
  referrals: [row.invited, row.successful, row.referralPoints, row.claimable],
  content: [row.contributions, row.jobs, row.resultSize, today],
  // The heartbeat reward is no campaign: its points alone say that it was claimed.
  rewards: [row.submissions, row.claims, row.rewards],
  profile: [row.wallet, row.isWhitelisted, row.updatedAt],
  "machine-id": [row.chainJobs, row.requestedAt, row.signedAt],
});
