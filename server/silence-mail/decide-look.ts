import { CLOCKS_APART } from "../db/clock.ts";
import { SILENCE_HOURS } from "./contract.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** A member's choice, what was mailed, and what their nodes did. */
type Watched = {
  afterHours: number | null;
  tellsReturn: boolean;
  chosenAt: Date;
  mailedFor: Date | null;
  /** Null before the first beat. */
  lastBeatAt: Date | null;
  /** When that one came in: much later where the clock of its machine is behind. Null where it is no longer kept. */
  lastHeardAt: Date | null;
  /** The keys of a blocked member are refused: starting a machine again would not help. */
  isBlocked: boolean;
};

type Look = {
  /** `since`: the last beat before the silence. */
  mail?: { kind: "silent" | "back"; since: Date };
  mailedFor: Date | null;
  lookAt: Date;
};

/** Of the server: now, and milliseconds in which one beat counts. */
type Clock = { now: Date; intervalMs: number };

/**
 * What a look at a member's nodes leads to: a mail, or none, and when to look again. No mail before the first beat, nor
 * while a node that beats in each interval may have nothing to say.
 */
export function decideLook(
  { lastBeatAt, mailedFor, isBlocked, ...watched }: Watched,
  { now, intervalMs }: Clock,
): Look {
  const waitMs = longEnough(watched.afterHours ?? 0, intervalMs);
  if (!lastBeatAt || isBlocked) return { mailedFor, lookAt: later(now, waitMs) };

  const times = [watched.lastHeardAt, watched.chosenAt].filter((time) => !isToCome(time, now));
  const dueAt = later(latest(lastBeatAt, ...times), waitMs);
  const isOver = mailedFor !== null && lastBeatAt > mailedFor;
  if (mailedFor && !isOver)
    return { mailedFor, lookAt: later(now, untilNextLook(watched, now.getTime() - mailedFor.getTime())) };
  if (dueAt <= now) {
    const mail = { kind: "silent", since: lastBeatAt } as const;
    return {
      mail,
      mailedFor: lastBeatAt,
      lookAt: later(now, untilNextLook(watched, now.getTime() - lastBeatAt.getTime())),
    };
  }
  const mail = isOver && watched.tellsReturn && ({ kind: "back", since: mailedFor } as const);
  // A beat may have a time that is still to come. Looks that are put off beyond this are brought forward again at once.
  const lookAt = new Date(Math.min(dueAt.getTime(), latestLook({ now, intervalMs }).getTime()));
  return { ...(mail && { mail }), mailedFor: null, lookAt };
}

/** Milliseconds of a silence that is mailed after so many hours. */
const longEnough = (hours: number, intervalMs: number) => Math.max(hours * HOUR_MS, 2 * intervalMs);

/** No look is put off for longer, whatever a member has chosen. */
export const latestLook = ({ now, intervalMs }: Clock): Date =>
  later(now, longEnough(Math.max(...SILENCE_HOURS), intervalMs) + CLOCKS_APART);

/** Whether a time is so far in the future that a clock must have been ahead when it was written down. */
const isToCome = (time: Date | null, now: Date) => time !== null && time > later(now, CLOCKS_APART);

const latest = (...times: (Date | null)[]) => new Date(Math.max(...times.map((time) => time?.getTime() ?? 0)));
const later = (from: Date, milliseconds: number) => new Date(from.getTime() + milliseconds);

/**
 * Milliseconds until the next look at a node whose silence was mailed. Where its member wants to know that it is back:
 * minutes at first, and more the longer the silence lasts. Otherwise for as many hours as the member has chosen.
 */
function untilNextLook({ afterHours, tellsReturn }: Pick<Watched, "afterHours" | "tellsReturn">, silentMs: number) {
  const longest = (afterHours ?? 0) * HOUR_MS;
  return tellsReturn ? Math.min(Math.max(silentMs / 20, 2 * MINUTE_MS), longest) : longest;
}
