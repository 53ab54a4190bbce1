/** How far a node's clock may run ahead of the server's, in milliseconds. */
const MAX_AHEAD_MS = 60_000;
/** How long after the fact a heartbeat still counts, in milliseconds. This makes up for an outage of a week. */
export const MAX_AGE_MS = 7 * 24 * 60 * 60 * 1000;

/** Why something does not count, for the person who runs the node. */
export const MESSAGES = {
  too_early: "This is more than 60 seconds in the future. Check the clock of this machine.",
  too_late: "This is more than 7 days old and no longer counts.",
};

type Refusal<Thing> = { of: Thing; reason: keyof typeof MESSAGES; message: string };
type Checked<Thing> = { inTime: { of: Thing; at: Date }[]; refused: Refusal<Thing>[] };

/** Splits what a node reports into what may count now and what may not, with the reason. */
export function checkTimes<Thing>(things: Thing[], timeOf: (thing: Thing) => string, now: Date): Checked<Thing> {
  const checked: Checked<Thing> = { inTime: [], refused: [] };
  for (const of of things) {
    const at = new Date(timeOf(of));
    const age = now.getTime() - at.getTime();
    const reason = age < -MAX_AHEAD_MS ? "too_early" : age > MAX_AGE_MS ? "too_late" : undefined;
    if (reason) checked.refused.push({ of, reason, message: MESSAGES[reason] });
    else checked.inTime.push({ of, at });
  }
  return checked;
}

/**
 * Returns the start of the interval that a heartbeat fills. Intervals are counted from 1970, so all servers agree on
 * them.
 */
export function slotOf(beatAt: Date, intervalSeconds: number): Date {
  const length = intervalSeconds * 1000;
  return new Date(Math.floor(beatAt.getTime() / length) * length);
}
