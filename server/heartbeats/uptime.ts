import { UPTIME_SLOT_SECONDS, type SlotState, type Uptime, type UptimeRange } from "./contract.ts";
import { readNode, SLOT_MS, WEEK_SLOTS, type NodeDeps } from "./node.ts";

const SLOTS: Record<UptimeRange, number> = { last24hours: WEEK_SLOTS / 7, last7days: WEEK_SLOTS };

/**
 * In which quarters of an hour the member's nodes have beaten. A quarter is filled when at least one beat fell in it,
 * however long the interval of beats is; where that is longer than a quarter, a beat fills all those of its interval.
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
    // A slot that is over may still be filled by a beat of the interval that runs now.
    return slot + SLOT_MS > running ? "pending" : "missed";
  });
}

/** Up to two decimals, and rounded down: 100 is all of them. */
function toPercent(slots: SlotState[]): number | null {
  const beats = slots.filter((state) => state === "beat").length;
  const missed = slots.filter((state) => state === "missed").length;
  return beats + missed === 0 ? null : Math.floor((beats * 10_000) / (beats + missed)) / 100;
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
