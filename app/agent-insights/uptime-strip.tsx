import { useId } from "react";
import type { SlotState, Uptime } from "../../server/heartbeats/contract.ts";
import { useHydrated } from "remix-utils/use-hydrated";
import { formatLocal, formatUtc } from "../ui/time.tsx";
import { DAY_SLOTS, describeLength, STATE_WORDS, timeOf, type Run } from "./uptime-runs.ts";

type UptimeStripProps = {
  title: string;
  /** The picture in words. */
  description: string;
  uptime: Uptime;
  /** What is drawn, a day in each row: slot by slot, or the same ones together. */
  rows: Run[][];
  /** In pixels. */
  rowHeight: number;
  barHeight: number;
};

/** Days as rows of bars: high where there was a beat, low where there was none. The pointer over a bar names it. */
export function UptimeStrip({ title, description, uptime, rows, rowHeight, barHeight }: UptimeStripProps) {
  const id = useId();
  const format = useHydrated() ? formatLocal : formatUtc;
  const nameOf = ({ length, start, state }: Run) =>
    `${format(timeOf(uptime, start))}, ${describeLength(length * uptime.slotSeconds)}: ${STATE_WORDS[state].toLowerCase()}`;
  return (
    <svg
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- an inline drawing cannot be an img element
      role="img"
      aria-labelledby={`${id}-title`}
      aria-describedby={`${id}-desc`}
      height={rows.length * rowHeight}
      className="w-full"
    >
      <title id={`${id}-title`}>{title}</title>
      <desc id={`${id}-desc`}>{description}</desc>
      {rows.flatMap((runs, row) =>
        runs.map((run) => (
          <Bar key={run.start} run={run} bottom={row * rowHeight + (rowHeight + barHeight) / 2} height={barHeight}>
            {nameOf(run)}
          </Bar>
        )),
      )}
    </svg>
  );
}

/** How high a bar is, as part of the highest, so that colour is not all that tells the states apart. */
const LOOKS: Record<SlotState, { part: number; className: string }> = {
  beat: { part: 1, className: "fill-connectivity stroke-surface" },
  missed: { part: 0.4, className: "fill-bad stroke-surface" },
  before: { part: 0.12, className: "fill-line-strong" },
  pending: { part: 1, className: "fill-sunken stroke-line-strong" },
};

type BarProps = { run: Run; bottom: number; height: number; children: string };

function Bar({ run: { length, start, state }, bottom, height, children }: BarProps) {
  const { className, part } = LOOKS[state];
  const x = `${round(((start % DAY_SLOTS) / DAY_SLOTS) * 100)}%`;
  const width = `${round((length / DAY_SLOTS) * 100)}%`;
  return (
    <g>
      <title>{children}</title>
      <rect x={x} width={width} y={bottom - height} height={height} fill="transparent" />
      <rect x={x} width={width} y={round(bottom - height * part)} height={round(height * part)} className={className} />
    </g>
  );
}

const round = (value: number) => Math.round(value * 1000) / 1000;

/** What the bars stand for. */
export function UptimeLegend() {
  return (
    <ul className="flex flex-wrap gap-x-4 gap-y-1.5 text-hint text-ink-2" aria-hidden>
      {(["beat", "missed", "pending", "before"] as const).map((state) => (
        <li key={state} className="flex items-end gap-1.5">
          <svg width="8" height="14">
            <rect
              width="8"
              y={14 - 14 * LOOKS[state].part}
              height={14 * LOOKS[state].part}
              className={LOOKS[state].className}
            />
          </svg>
          {STATE_WORDS[state]}
        </li>
      ))}
    </ul>
  );
}
