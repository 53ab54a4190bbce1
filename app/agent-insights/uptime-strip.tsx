import { useId, useState, type PointerEvent, type ReactNode } from "react";
import type { SlotState } from "../../server/heartbeats/contract.ts";
import { barPath } from "../ui/chart/bar-path.ts";
import { DAY_SLOTS, STATE_WORDS, toRuns } from "./uptime-runs.ts";

type StripRow = {
  /** The position of the first slot in its row. */
  offset: number;
  slots: readonly SlotState[];
};

type UptimeStripProps = {
  title: string;
  /** Describes the picture in words. */
  description: string;
  /** The slots to draw, a day in each row. */
  rows: StripRow[];
  /** In pixels. */
  rowHeight: number;
  barHeight: number;
  /** Whether each slot is a separate bar, or equal slots are joined. */
  apart?: boolean;
  /** Describes the slot under the pointer, by its row and its position there. */
  name: (row: number, slot: number) => ReactNode;
  /** Shown beside the bars. */
  caption: ReactNode;
  className?: string;
  /** Shown below the bars. */
  children?: ReactNode;
};

/**
 * Draws days as rows of bars: high for a heartbeat, low for a missed one. All bars of a state are one path. The slot
 * under the pointer is described above them.
 */
export function UptimeStrip({
  title,
  description,
  name,
  caption,
  className = "",
  children,
  ...drawing
}: UptimeStripProps) {
  const { rows, rowHeight } = drawing;
  const id = useId();
  const [pointed, setPointed] = useState<{ row: number; slot: number } | null>(null);

  function point({ clientX, clientY, currentTarget }: PointerEvent<SVGSVGElement>) {
    const { left, top, width } = currentTarget.getBoundingClientRect();
    const row = Math.floor((clientY - top) / rowHeight);
    const slot = Math.floor(((clientX - left) / width) * DAY_SLOTS) - (rows[row]?.offset ?? 0);
    setPointed(rows[row]?.slots[slot] ? { row, slot } : null);
  }
  return (
    <figure className={`grid gap-x-3 gap-y-1.5 ${className}`}>
      <figcaption className="col-span-full flex flex-wrap justify-between gap-x-4 text-hint text-ink-3">
        <span>{title}</span>
        <span className="num">{pointed && name(pointed.row, pointed.slot)}</span>
      </figcaption>
      {caption}
      <svg
        // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- an inline drawing cannot be an img element
        role="img"
        aria-label={title}
        aria-describedby={id}
        viewBox={`0 0 ${DAY_SLOTS} ${rows.length * rowHeight}`}
        preserveAspectRatio="none"
        height={rows.length * rowHeight}
        className="w-full"
        onPointerMove={point}
        onPointerLeave={() => setPointed(null)}
      >
        <desc id={id}>{description}</desc>
        {STATES.map((state) => {
          const path = outline(state, drawing);
          return path && <path key={state} d={path} className={BAR_STYLES[state].fill} />;
        })}
      </svg>
      {children}
    </figure>
  );
}

const STATES = ["beat", "missed", "pending", "before"] as const;

type BarStyle = { from?: number; to: number; fill: string };

/**
 * Where a bar starts and ends, as fractions of the highest bar, so that not only colour tells the states apart. A
 * missed slot does not stand on the floor: this shows even without another bar beside it.
 */
const BAR_STYLES: Record<SlotState, BarStyle> = {
  beat: { to: 1, fill: "fill-connectivity forced-colors:fill-ink" },
  missed: { from: 0.25, to: 0.55, fill: "fill-line-strong forced-colors:fill-line" },
  before: { to: 0.1, fill: "fill-line-strong forced-colors:fill-line" },
  pending: { to: 0.7, fill: "fill-line" },
};

/** Returns the place of a state's bar above the floor. `highest`: the height of the highest bar. */
function place(state: SlotState, floor: number, highest: number) {
  const { from = 0, to } = BAR_STYLES[state];
  return { top: floor - to * highest, height: (to - from) * highest };
}

/** The gap between two slots, as a fraction of a slot. */
const GAP = 0.16;

type Drawing = Pick<UptimeStripProps, "rows" | "rowHeight" | "barHeight" | "apart">;

/** Draws the bars of a state as one path. */
function outline(state: SlotState, { rows, rowHeight, barHeight, apart = false }: Drawing): string {
  return rows
    .flatMap(({ offset, slots }, row) => {
      const bar = place(state, row * rowHeight + (rowHeight + barHeight) / 2, barHeight);
      const runs = apart ? slots.map((each, start) => ({ state: each, start, length: 1 })) : toRuns(slots);
      return runs
        .filter((run) => run.state === state)
        .map(({ length, start }) => barPath({ ...bar, x: offset + start, width: length - GAP }));
    })
    .join("");
}

/** Explains the bars of those states that occur. */
export function UptimeLegend({ slots }: { slots: readonly SlotState[] }) {
  return (
    <ul className="flex flex-wrap gap-x-4 gap-y-1.5 text-hint text-ink-2" aria-hidden>
      {STATES.filter((state) => slots.includes(state)).map((state) => (
        <li key={state} className="flex items-baseline gap-1.5">
          <svg width="8" height="14">
            <path d={barPath({ ...place(state, 14, 14), x: 0, width: 8 })} className={BAR_STYLES[state].fill} />
          </svg>
          {STATE_WORDS[state]}
        </li>
      ))}
    </ul>
  );
}
