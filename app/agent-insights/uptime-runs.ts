import type { SlotState, Uptime } from "../../server/heartbeats/contract.ts";

/** Slots of the same state, one after the other. */
export type Run = { state: SlotState; start: number; length: number };

export const STATE_WORDS: Record<SlotState, string> = {
  beat: "Beat",
  missed: "Missed",
  before: "Before the first beat",
  pending: "Not yet",
};

/** Slots of a day in the strips. */
export const DAY_SLOTS = 96;

/** The runs from one slot up to another. */
export function toRuns(slots: readonly SlotState[], from = 0, to = slots.length): Run[] {
  const runs: Run[] = [];
  for (const [index, state] of slots.slice(from, to).entries()) {
    const last = runs.at(-1);
    if (last?.state === state) last.length += 1;
    else runs.push({ state, start: from + index, length: 1 });
  }
  return runs;
}

/** When a slot begins, as ISO 8601. */
export const timeOf = ({ from, slotSeconds }: Pick<Uptime, "from" | "slotSeconds">, slot: number): string =>
  new Date(Date.parse(from) + slot * slotSeconds * 1000).toISOString();

/** Whether there was a beat in the slot that runs now, or in the one before. */
export const isBeating = ({ slots }: Pick<Uptime, "slots">): boolean => slots.slice(-2).includes("beat");

const UNITS = [
  ["day", 86_400],
  ["hour", 3600],
  ["minute", 60],
] as const;

/** `45 minutes`, `3 hours 15 minutes`, `2 days 4 hours`: whole minutes, in two units at most. */
export function describeLength(seconds: number): string {
  let left = seconds;
  const parts = UNITS.flatMap(([unit, size]) => {
    const amount = Math.floor(left / size);
    left -= amount * size;
    return amount > 0 ? [`${amount} ${unit}${amount === 1 ? "" : "s"}`] : [];
  });
  return parts.slice(0, 2).join(" ");
}
