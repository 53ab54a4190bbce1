import type { Deps } from "../deps.ts";
import { MAX_AGE_MS } from "../heartbeats/beat-window.ts";
import type { UserStats } from "../points/contract.ts";
import { toStats } from "../points/service.ts";
import { utcDay } from "../points/utc-day.ts";
import { runningAt } from "../sessions/service.ts";
import { toEventId, type PartStates } from "./parts.ts";
import { findStates, type LiveState } from "./queries.ts";

/** A member who is connected, in one of their sessions. */
export type Watcher = { userId: string; sessionId: string };

/** The state of a member at one moment. The id stands for all of it, and is mostly all that is needed. */
export type MemberState = { id: string; stats: () => UserStats };

/**
 * How long a session may be overdue at its authentication provider, in milliseconds. A stream that has just been opened
 * had it checked a moment ago.
 */
const DUE_FOR = 1000;

/**
 * Reads the states of members, by session. Leaves out sessions that have ended. Also leaves out sessions that are due
 * at their provider, because only reconnecting renews them, or shows that the provider has ended them.
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
    // Jobs count for the day on which they finished, and jobs of earlier days are no longer accepted.
    reportedFrom: utcDay(new Date(at.getTime() - MAX_AGE_MS)),
  });
  return new Map(found.map((row): [string, MemberState] => [row.sessionId, toState(row, today)]));
}

function toState(row: LiveState, today: string): MemberState {
  return { id: toEventId(toParts(row, today)), stats: () => toStats(row.userId, row, today) };
}

/** Includes the day in parts with charts, because charts end today: at midnight they change even if nothing happens. */
const toParts = (row: LiveState, today: string): PartStates => ({
  points: [row.connectivity, row.referral, row.rewards, row.others, row.today, today],
  heartbeats: [row.heartbeats, row.lastBeatAt, row.refusedAt],
  referrals: [row.invited, row.successful, row.referralPoints, row.claimable],
  content: [row.contributions, row.jobs, row.resultSize, today],
  // The heartbeat reward is not a campaign, so only its points show that it was claimed.
  rewards: [row.submissions, row.claims, row.rewards],
  profile: [row.wallet, row.isWhitelisted, row.updatedAt],
  "machine-id": [row.chainJobs, row.requestedAt, row.signedAt],
});
