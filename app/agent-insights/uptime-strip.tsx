import { useId, useState, type PointerEvent, type ReactNode } from "react";
import type { SlotState } from "../../server/heartbeats/contract.ts";
import { barPath } from "../ui/chart/bar-path.ts";
import { DAY_SLOTS, STATE_WORDS, toRuns } from "./uptime-runs.ts";

type StripRow = {
  /** Where in the row the first slot stands. */
  offset: number;
  slots: readonly SlotState[];
};

type UptimeStripProps = {
  title: string;
  /** The picture in words. */
  description: string;
  /** What is drawn, a day in each row. */
  rows: StripRow[];
  /** In pixels. */
  rowHeight: number;
  barHeight: number;
  /** Whether each slot is a bar of its own, or the same ones together. */
  apart?: boolean;
  /** Names what is under the pointer, by its row and its slot there. */
  name: (row: number, slot: number) => ReactNode;
  /** What stands beside the title. */
  caption: ReactNode;
  className?: string;
  /** Stands below the bars. */
  children?: ReactNode;
};

/**
 * Days as rows of bars: high where there was a beat, low where there was none. All bars of a state are one path; what
 * the pointer is on is said above them.
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
          return path && <path key={state} d={path} className={LOOKS[state].fill} />;
        })}
      </svg>
      {children}
    </figure>
  );
}

const STATES = ["beat", "missed", "pending", "before"] as const;

type Look = { from?: number; to: number; fill: string };

/**
 * From where to where a bar goes, as parts of the highest, so that colour is not all that tells the states apart. What
 * was missed does not stand on the floor: that shows beside no other bar, too.
 */
const LOOKS: Record<SlotState, Look> = {
  beat: { to: 1, fill: "fill-connectivity forced-colors:fill-ink" },
  missed: { from: 0.25, to: 0.55, fill: "fill-line-strong forced-colors:fill-line" },
  before: { to: 0.1, fill: "fill-line-strong forced-colors:fill-line" },
  pending: { to: 0.7, fill: "fill-line" },
};

/** A bar of a state above the floor, by the height of the highest. */
function place(state: SlotState, floor: number, highest: number) {
  const { from = 0, to } = LOOKS[state];
  return { top: floor - to * highest, height: (to - from) * highest };
}

/** The gap between two slots, as part of one. */
const GAP = 0.16;

type Drawing = Pick<UptimeStripProps, "rows" | "rowHeight" | "barHeight" | "apart">;

/** The bars of a state as one path. */
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

/** What the bars stand for, as far as there are such. */
export function UptimeLegend({ slots }: { slots: readonly SlotState[] }) {
  return (
    <ul className="flex flex-wrap gap-x-4 gap-y-1.5 text-hint text-ink-2" aria-hidden>
      {STATES.filter((state) => slots.includes(state)).map((state) => (
        <li key={state} className="flex items-baseline gap-1.5">
          <svg width="8" height="14">
            <path d={barPath({ ...place(state, 14, 14), x: 0, width: 8 })} className={LOOKS[state].fill} />
          </svg>
          {STATE_WORDS[state]}
        </li>
      ))}
    </ul>
  );
}
