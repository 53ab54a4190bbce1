import { MAX_CLOCK_SKEW_MS } from "../db/clock.ts";
import { SILENCE_HOURS } from "./contract.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** A member's choice, what was emailed, and when their nodes sent heartbeats. */
type Watched = {
  afterHours: number | null;
  tellsReturn: boolean;
  chosenAt: Date;
  mailedFor: Date | null;
  /** Null before the first heartbeat. */
  lastBeatAt: Date | null;
  /**
   * When the last heartbeat was received: much later if its machine's clock is behind. Null if it is no longer kept.
   */
  lastHeardAt: Date | null;
  /** The keys of a blocked member are refused, so starting a machine again would not help. */
  isBlocked: boolean;
};

type CheckOutcome = {
  /** `since`: the last heartbeat before the silence. */
  mail?: { kind: "silent" | "back"; since: Date };
  mailedFor: Date | null;
  lookAt: Date;
};

/** The server's time, and how long one heartbeat counts, in milliseconds. */
type Clock = { now: Date; intervalMs: number };

/**
 * Decides what a check of a member's nodes leads to: an email or none, and when to check again. Sends no email before
 * the first heartbeat, nor while a node that sends one in each interval may have nothing to send.
 */
export function decideCheck(
  { lastBeatAt, mailedFor, isBlocked, ...watched }: Watched,
  { now, intervalMs }: Clock,
): CheckOutcome {
  const waitMs = longEnough(watched.afterHours ?? 0, intervalMs);
  if (!lastBeatAt || isBlocked) return { mailedFor, lookAt: later(now, waitMs) };

  const times = [watched.lastHeardAt, watched.chosenAt].filter((time) => !isFromFastClock(time, now));
  const dueAt = later(latest(lastBeatAt, ...times), waitMs);
  const isOver = mailedFor !== null && lastBeatAt > mailedFor;
  if (mailedFor && !isOver)
    return { mailedFor, lookAt: later(now, untilNextCheck(watched, now.getTime() - mailedFor.getTime())) };
  if (dueAt <= now) {
    const mail = { kind: "silent", since: lastBeatAt } as const;
    return {
      mail,
      mailedFor: lastBeatAt,
      lookAt: later(now, untilNextCheck(watched, now.getTime() - lastBeatAt.getTime())),
    };
  }
  const mail = isOver && watched.tellsReturn && ({ kind: "back", since: mailedFor } as const);
  // A heartbeat's time may be in the future. A check postponed beyond this limit would be brought forward at once.
  const lookAt = new Date(Math.min(dueAt.getTime(), latestCheck({ now, intervalMs }).getTime()));
  return { ...(mail && { mail }), mailedFor: null, lookAt };
}

/** How long a silence must last before it is emailed, in milliseconds. */
const longEnough = (hours: number, intervalMs: number) => Math.max(hours * HOUR_MS, 2 * intervalMs);

/** Returns the latest time to which a check is postponed, whatever a member has chosen. */
export const latestCheck = ({ now, intervalMs }: Clock): Date =>
  later(now, longEnough(Math.max(...SILENCE_HOURS), intervalMs) + MAX_CLOCK_SKEW_MS);

/** Whether a time is so far in the future that the clock that wrote it must have been ahead. */
const isFromFastClock = (time: Date | null, now: Date) => time !== null && time > later(now, MAX_CLOCK_SKEW_MS);

const latest = (...times: (Date | null)[]) => new Date(Math.max(...times.map((time) => time?.getTime() ?? 0)));
const later = (from: Date, milliseconds: number) => new Date(from.getTime() + milliseconds);

/**
 * Returns how long to wait before the next check of a node whose silence was emailed, in milliseconds. If its member
 * wants to know that it is back: minutes at first, and longer as the silence lasts. Otherwise as many hours as the
 * member has chosen.
 */
function untilNextCheck({ afterHours, tellsReturn }: Pick<Watched, "afterHours" | "tellsReturn">, silentMs: number) {
  const longest = (afterHours ?? 0) * HOUR_MS;
  return tellsReturn ? Math.min(Math.max(silentMs / 20, 2 * MINUTE_MS), longest) : longest;
}
