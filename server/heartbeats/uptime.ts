import { UPTIME_SLOT_SECONDS, type SlotState, type Uptime, type UptimeRange } from "./contract.ts";
import { readNode, SLOT_MS, WEEK_SLOTS, type NodeDeps } from "./node.ts";

const SLOTS: Record<UptimeRange, number> = { last24hours: WEEK_SLOTS / 7, last7days: WEEK_SLOTS };

/**
 * Reads in which quarter hours the member's nodes sent heartbeats. A quarter hour is filled if at least one heartbeat
 * falls in it, whatever the heartbeat interval. If the interval is longer, a heartbeat fills every quarter hour of its
 * interval.
 */
export async function readUptime(deps: NodeDeps, userId: string, { range }: { range: UptimeRange }): Promise<Uptime> {
  const node = await readNode(deps, userId);
  const { current, lastBeatAt, lastDevice } = node;
  const first = current - (SLOTS[range] - 1) * SLOT_MS;
  const slots = toSlots(first, node);
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
    lastBeat: lastBeatAt && { at: lastBeatAt.toISOString(), device: lastDevice },
  };
}

type Node = Awaited<ReturnType<typeof readNode>>;

function toSlots(first: number, { current, filled, firstSlotAt, running }: Node): SlotState[] {
  const begin = firstSlotAt?.getTime() ?? Infinity;
  return Array.from({ length: (current - first) / SLOT_MS + 1 }, (_, index) => {
    const slot = first + index * SLOT_MS;
    if (filled.has(slot)) return "beat";
    if (begin >= slot) return "before";
    // A slot that has ended may still be filled by a heartbeat of the current interval.
    return slot + SLOT_MS > running ? "pending" : "missed";
  });
}

/** Calculates the percentage, rounded down to two decimals: 100 means all of them. */
function toPercent(slots: SlotState[]): number | null {
  const beats = slots.filter((state) => state === "beat").length;
  const missed = slots.filter((state) => state === "missed").length;
  return beats + missed === 0 ? null : Math.floor((beats * 10_000) / (beats + missed)) / 100;
}

/** Finds the longest run of missed slots, the latest one if several are equally long. */
function findLongestGap(slots: SlotState[]): { start: number; end: number } | null {
  let longest: { start: number; end: number } | null = null;
  let start = 0;
  for (const [index, state] of slots.entries()) {
    if (state !== "missed") start = index + 1;
    else if (!longest || index + 1 - start >= longest.end - longest.start) longest = { start, end: index + 1 };
  }
  return longest;
}
