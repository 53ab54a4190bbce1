import type { StatusDay } from "../../server/status/contract.ts";
import { barPath } from "../ui/chart/bar-path.ts";
import { formatDayOfYear } from "../ui/time.tsx";

/** How a day is drawn: by the worst that was measured on it. */
export type DayGrade = "up" | "degraded" | "down" | "none";

/** The height of the drawing, in its own units. A day is one unit wide. */
export const HEIGHT = 30;
const WIDTH = 0.76;

/**
 * The pieces of a bar from the floor up, as fractions of the highest bar. A worse day has more of them, so that neither
 * colour nor the height of other bars is needed to tell them apart.
 */
const PIECES: Record<DayGrade, [from: number, to: number][]> = {
  up: [[0, 0.5]],
  degraded: [
    [0, 0.5],
    [0.57, 0.75],
  ],
  down: [
    [0, 0.5],
    [0.57, 0.75],
    [0.82, 1],
  ],
  none: [[0, 0.1]],
};

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- these are the keys of a constant
const GRADES = Object.keys(PIECES) as DayGrade[];

type Bar = { x: number; width: number; height: number };

/** Draws the bar of a grade, on the floor of a drawing that is as high as the highest bar. */
const drawBar = (grade: DayGrade, { height, ...bar }: Bar): string =>
  PIECES[grade].map(([from, to]) => barPath({ ...bar, top: height * (1 - to), height: height * (to - from) })).join("");

/** Draws the legend: one bar of each grade, 14 high and 6 wide. */
export const drawLegend = () =>
  GRADES.map((grade) => ({ grade, path: drawBar(grade, { x: 0, width: 6, height: 14 }) }));

function gradeOf({ degraded, down, up }: StatusDay): DayGrade {
  if (down > 0) return "down";
  if (degraded > 0) return "degraded";
  return up > 0 ? "up" : "none";
}

/** Draws all bars of each grade as one path. Leaves out grades that no day has. */
export function drawDays(days: readonly StatusDay[]): { grade: DayGrade; path: string }[] {
  return GRADES.flatMap((grade) => {
    const bars = days.map((day, x) =>
      gradeOf(day) === grade ? drawBar(grade, { x, width: WIDTH, height: HEIGHT }) : "",
    );
    const path = bars.join("");
    return path ? [{ grade, path }] : [];
  });
}

/**
 * Describes the same days in words, the latest first. Consecutive days that are alike share a line: `20 Nov to 21 Nov:
 * up all the time`.
 */
export function describeDays(days: readonly StatusDay[]): string[] {
  const runs: { first: string; last: string; words: string }[] = [];
  for (const day of days) {
    const words = describeDay(day);
    const run = runs.at(-1);
    if (run?.words === words) run.last = day.date;
    else runs.push({ first: day.date, last: day.date, words });
  }
  return runs.toReversed().map(({ first, last, words }) => {
    const span = first === last ? "" : ` to ${formatDayOfYear(last)}`;
    return `${formatDayOfYear(first)}${span}: ${words}`;
  });
}

function describeDay({ degraded, down, unknown, up }: StatusDay): string {
  if (up + degraded + down === 0) return unknown === 0 ? "not measured" : "no data";
  if (down + degraded + unknown === 0) return "up all the time";
  const parts = [
    down > 0 && `down for ${formatMinutes(down)}`,
    degraded > 0 && `slow or failing at times for ${formatMinutes(degraded)}`,
    unknown > 0 && `no data for ${formatMinutes(unknown)}`,
  ];
  return parts.filter(Boolean).join(", ");
}

function formatMinutes(minutes: number): string {
  const hours = Math.floor(minutes / 60);
  const rest = minutes % 60;
  return [hours > 0 && `${hours} h`, (rest > 0 || hours === 0) && `${rest} min`].filter(Boolean).join(" ");
}
