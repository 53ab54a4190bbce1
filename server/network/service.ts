import type { Actor } from "../administration/actor.ts";
import { permit } from "../administration/service.ts";
import type { Deps } from "../deps.ts";
import type { Again } from "../jobs/job.ts";
import { addDays, utcDay } from "../points/utc-day.ts";
import type { NetworkOverview } from "./contract.ts";
import * as queries from "./queries.ts";
import { readQueueFigures } from "./queue-figures.ts";

type NetworkDeps = Pick<Deps, "db" | "now" | "chain">;

/** Reads the overview of the network, only from sums and indexes. Throws FORBIDDEN and PASSWORD_REQUIRED. */
export async function readOverview({ db, now, chain }: NetworkDeps, actor: Actor): Promise<NetworkOverview> {
  await permit({ db, now }, actor);
  const at = now();
  const [latest, members, waiting, dead, figures, status] = await Promise.all([
    queries.findLatestDay(db, utcDay(at)),
    queries.sumMembers(db),
    db.execute<{ held: number; requested: number; unconfirmed: number }>(queries.describeWaiting(at)),
    db.execute<{ kind: string; dead: number }>(queries.describeDead()),
    readQueueFigures({ db, now }),
    chain.check(),
  ]);
  // A day that has just begun has no sums yet.
  const today = latest?.day === utcDay(at) ? latest : undefined;
  const [counts] = waiting.rows;
  return {
    summedAt: latest?.summedAt.toISOString() ?? null,
    members: { total: members, joinedToday: today?.joined ?? 0, leftToday: today?.left ?? 0 },
    unconfirmed: counts?.unconfirmed ?? 0,
    heard: { inHour: latest?.heardInHour ?? 0, inDay: latest?.heardInDay ?? 0 },
    points: {
      connectivity: today?.connectivity ?? 0,
      referral: today?.referral ?? 0,
      rewards: today?.rewards ?? 0,
      others: today?.others ?? 0,
    },
    claims: today?.claims ?? 0,
    heldReferrals: counts?.held ?? 0,
    adjustmentRequests: counts?.requested ?? 0,
    queue: joinKinds(figures.jobs, dead.rows),
    chain: { isOk: status.ok, problem: status.ok ? null : status.reason, jobs: figures.chainJobs },
  };
}

type Waiting = { kind: string; queued: number; oldestDueSeconds: number };

function joinKinds(waiting: Waiting[], dead: { kind: string; dead: number }[]) {
  const kinds = new Set([...waiting, ...dead].map(({ kind }) => kind));
  return Array.from(kinds)
    .toSorted()
    .map((kind) => {
      const { queued = 0, oldestDueSeconds = 0 } = waiting.find((each) => each.kind === kind) ?? {};
      return { kind, queued, oldestDueSeconds, dead: dead.find((each) => each.kind === kind)?.dead ?? 0 };
    });
}

/**
 * How many days to sum up before other jobs get their turn. Each takes a statement, which may run as long as any other.
 */
const DAYS_AT_ONCE = 7;

/**
 * Sums up what happened in the network, by UTC day. The first run does all days, a few at a time. Later runs do the
 * days that may have changed since. Points that are posted late for an earlier day are missing from that day's sums,
 * but not from the ledger.
 */
export async function sumNetworkDays({ db, now: clock }: Pick<Deps, "db" | "now">): Promise<Again | void> {
  const now = clock();
  const today = utcDay(now);
  await queries.deleteDaysAfter(db, today);
  const latest = await queries.findLatestDay(db, today);
  const first = latest ? daysAfter(latest.day, -1) : await queries.findFirstDay(db, today);
  const next = daysAfter(first, DAYS_AT_ONCE);
  for (let day = first; day <= today && day < next; day = daysAfter(day, 1))
    await queries.saveDay(db, { day, isToday: day === today, now });
  if (next <= today) return { again: 0 };
}

const daysAfter = (day: string, days: number) => utcDay(addDays(new Date(day), days));
