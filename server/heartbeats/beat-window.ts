import type { HeartbeatsInput, HeartbeatsResult } from "./contract.ts";

/** How far a node's clock may run ahead of the server's, in milliseconds. */
const MAX_AHEAD_MS = 60_000;
/** How long after the fact a beat still counts, in milliseconds: a week of outage is made good. */
export const MAX_AGE_MS = 7 * 24 * 60 * 60 * 1000;

const MESSAGES = {
  too_early: "This beat is more than 60 seconds in the future. Check the clock of this machine.",
  too_late: "This beat is more than 7 days old and no longer counts.",
};

/** Parts the beats that may count now from those that may not, with the reason. */
export function checkBeats(beats: HeartbeatsInput["beats"], now: Date) {
  const inTime: Date[] = [];
  const refused: HeartbeatsResult["refused"] = [];
  for (const { timestamp } of beats) {
    const beatAt = new Date(timestamp);
    const age = now.getTime() - beatAt.getTime();
    const reason = age < -MAX_AHEAD_MS ? "too_early" : age > MAX_AGE_MS ? "too_late" : undefined;
    if (reason) refused.push({ timestamp, reason, message: MESSAGES[reason] });
    else inTime.push(beatAt);
  }
  return { inTime, refused };
}

/** The start of the interval that a beat fills. Intervals are counted from 1970, so every server agrees on them. */
export function slotOf(beatAt: Date, intervalSeconds: number): Date {
  const length = intervalSeconds * 1000;
  return new Date(Math.floor(beatAt.getTime() / length) * length);
}
