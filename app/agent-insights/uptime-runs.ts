import type { SlotState, Uptime } from "../../server/heartbeats/contract.ts";

/** Consecutive slots with the same state. */
export type Run = { state: SlotState; start: number; length: number };

export const STATE_WORDS: Record<SlotState, string> = {
  beat: "Heartbeat",
  missed: "Missed",
  before: "Before the first heartbeat",
  pending: "Not yet",
};

/** How many slots a day has in the strips. */
export const DAY_SLOTS = 96;

/** Groups slots into runs. */
export function toRuns(slots: readonly SlotState[]): Run[] {
  const runs: Run[] = [];
  for (const [start, state] of slots.entries()) {
    const last = runs.at(-1);
    if (last?.state === state) last.length += 1;
    else runs.push({ state, start, length: 1 });
  }
  return runs;
}

/**
 * A calendar day (UTC, as for points) or a part of one: its slots, and where the first of them is, in the strip and in
 * the day.
 */
export type DayRow = { date: string; first: number; offset: number; slots: SlotState[] };

/** Splits a strip into calendar days. The first and the last go only as far as the strip. */
export function toDays({ from, slots, slotSeconds }: Pick<Uptime, "from" | "slots" | "slotSeconds">): DayRow[] {
  // A backend may respond with anything. Slots without a length have no place in a day, and their card says so.
  if (!(slotSeconds >= 60)) throw new RangeError(`A slot of ${slotSeconds} seconds`);
  const days: DayRow[] = [];
  for (const [first, state] of slots.entries()) {
    const at = Date.parse(from) + first * slotSeconds * 1000;
    const date = new Date(at).toISOString().slice(0, 10);
    const last = days.at(-1);
    if (last?.date === date) last.slots.push(state);
    else days.push({ date, first, offset: Math.floor((at - Date.parse(date)) / 1000 / slotSeconds), slots: [state] });
  }
  return days;
}

/** Returns when a slot begins, as ISO 8601. */
export const timeOf = ({ from, slotSeconds }: Pick<Uptime, "from" | "slotSeconds">, slot: number): string =>
  new Date(Date.parse(from) + slot * slotSeconds * 1000).toISOString();

/** Returns whether the latest slot that is decided had a heartbeat. */
export const isBeating = ({ slots }: Pick<Uptime, "slots">): boolean =>
  slots.findLast((state) => state !== "pending") !== "missed";

/** Returns whether the node is younger than the range. Then only the time since its first heartbeat counts. */
export const isYoung = ({ slots }: Pick<Uptime, "slots">): boolean => slots[0] === "before";

const UNITS = [
  ["day", 86_400],
  ["hour", 3600],
  ["minute", 60],
] as const;

/**
 * Formats a duration in whole minutes, with two units at most: `45 minutes`, `3 hours 15 minutes`, `2 days 4 hours`.
 */
export function describeLength(seconds: number): string {
  let left = seconds;
  const parts = UNITS.flatMap(([unit, size]) => {
    const amount = Math.floor(left / size);
    left -= amount * size;
    return amount > 0 ? [`${amount} ${unit}${amount === 1 ? "" : "s"}`] : [];
  });
  return parts.slice(0, 2).join(" ");
}
