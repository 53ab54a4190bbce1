import type { Deps } from "../deps.ts";
import { slotOf } from "./beat-window.ts";
import { UPTIME_SLOT_SECONDS, type SlotState, type Uptime, type UptimeRange } from "./contract.ts";
import { findFilledSlots, findFirstBeat, findLastBeat } from "./uptime.queries.ts";

const SLOT_MS = UPTIME_SLOT_SECONDS * 1000;
const SLOTS: Record<UptimeRange, number> = { last24hours: 96, last7days: 7 * 96 };

/**
 * In which quarters of an hour the member's nodes have beaten. A quarter is filled when at least one beat fell in it,
 * however long the interval of beats is; where that is longer than a quarter, a beat fills all those of its interval.
 */
export async function readUptime(
  { db, env, now }: Pick<Deps, "db" | "env" | "now">,
  userId: string,
  { range }: { range: UptimeRange },
): Promise<Uptime> {
  const current = slotOf(now(), UPTIME_SLOT_SECONDS).getTime();
  const first = current - (SLOTS[range] - 1) * SLOT_MS;
  const reach = Math.max(0, env.heartbeatIntervalSeconds - UPTIME_SLOT_SECONDS);
  const filled = await findFilledSlots(db).execute({
    userId,
    first: new Date(first).toISOString(),
    last: new Date(current).toISOString(),
    slotSeconds: UPTIME_SLOT_SECONDS,
    reach,
  });
  const [firstBeat] = await findFirstBeat(db).execute({ userId });
  const [lastBeat] = await findLastBeat(db).execute({ userId });
  const slots = toSlots({ first, current, filled: filled.map(({ slotAt }) => slotAt.getTime()), firstBeat });
  const at = (slot: number) => new Date(first + slot * SLOT_MS).toISOString();
  const gap = findLongestGap(slots);
  return {
    range,
    from: at(0),
    to: at(slots.length),
    slotSeconds: UPTIME_SLOT_SECONDS,
    slots,
    percent: toPercent(slots),
    longestGap: gap && { from: at(gap.start), to: at(gap.end) },
    lastBeat: lastBeat ? { at: lastBeat.at.toISOString(), device: lastBeat.device } : null,
  };
}

type Found = { first: number; current: number; filled: number[]; firstBeat: { slotAt: Date } | undefined };

function toSlots({ first, current, filled, firstBeat }: Found): SlotState[] {
  const hasBeat = new Set(filled);
  const begin = firstBeat ? firstBeat.slotAt.getTime() : Infinity;
  return Array.from({ length: (current - first) / SLOT_MS + 1 }, (_, index) => {
    const slot = first + index * SLOT_MS;
    if (hasBeat.has(slot)) return "beat";
    if (begin >= slot) return "before";
    return slot === current ? "pending" : "missed";
  });
}

/** Up to two decimals, and rounded down: 100 is all of them. */
function toPercent(slots: SlotState[]): number | null {
  const beats = slots.filter((state) => state === "beat").length;
  const missed = slots.filter((state) => state === "missed").length;
  return beats + missed === 0 ? null : Math.floor((beats / (beats + missed)) * 10_000) / 100;
}

/** The longest run of missed slots, the latest of equal ones. */
function findLongestGap(slots: SlotState[]): { start: number; end: number } | null {
  let longest: { start: number; end: number } | null = null;
  let start = 0;
  for (const [index, state] of slots.entries()) {
    if (state !== "missed") start = index + 1;
    else if (!longest || index + 1 - start >= longest.end - longest.start) longest = { start, end: index + 1 };
  }
  return longest;
}
