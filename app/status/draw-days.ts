import type { StatusDay } from "../../server/status/contract.ts";
import { barPath } from "../ui/chart/bar-path.ts";
import { formatDayOfYear } from "../ui/time.tsx";

/** How a day looks: by the worst of it, as far as anybody looked. */
export type DayLook = "up" | "degraded" | "down" | "none";

/** In units of the drawing: a day is one wide. */
export const HEIGHT = 30;
const WIDTH = 0.76;

/** How high a bar is, as part of the highest, so that colour is not all that tells the looks apart. */
export const PARTS: Record<DayLook, number> = { up: 0.5, degraded: 0.75, down: 1, none: 0.1 };

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the keys of a constant
export const LOOKS = Object.keys(PARTS) as DayLook[];

function lookOf({ degraded, down, up }: StatusDay): DayLook {
  if (down > 0) return "down";
  if (degraded > 0) return "degraded";
  return up > 0 ? "up" : "none";
}

/** All bars of a look as one path; none where there is no such day. */
export function drawDays(days: readonly StatusDay[]): { look: DayLook; path: string }[] {
  return LOOKS.flatMap((look) => {
    const height = HEIGHT * PARTS[look];
    const bars = days.map((day, x) =>
      lookOf(day) === look ? barPath({ x, top: HEIGHT - height, width: WIDTH, height }) : "",
    );
    const path = bars.join("");
    return path ? [{ look, path }] : [];
  });
}

/** The same days in words, those alike together, the latest first: `20 Nov to 21 Nov: up all day`. */
export function sayDays(days: readonly StatusDay[]): string[] {
  const runs: { first: string; last: string; words: string }[] = [];
  for (const day of days) {
    const words = sayDay(day);
    const run = runs.at(-1);
    if (run?.words === words) run.last = day.date;
    else runs.push({ first: day.date, last: day.date, words });
  }
  return runs.toReversed().map(({ first, last, words }) => {
    const span = first === last ? "" : ` to ${formatDayOfYear(last)}`;
    return `${formatDayOfYear(first)}${span}: ${words}`;
  });
}

function sayDay({ degraded, down, unknown, up }: StatusDay): string {
  if (up + degraded + down === 0) return unknown === 0 ? "not measured" : "no data";
  if (down + degraded + unknown === 0) return "up all the time";
  const parts = [
    down > 0 && `down for ${sayMinutes(down)}`,
    degraded > 0 && `slow or failing at times for ${sayMinutes(degraded)}`,
    unknown > 0 && `no data for ${sayMinutes(unknown)}`,
  ];
  return parts.filter(Boolean).join(", ");
}

function sayMinutes(minutes: number): string {
  const hours = Math.floor(minutes / 60);
  const rest = minutes % 60;
  return [hours > 0 && `${hours} h`, (rest > 0 || hours === 0) && `${rest} min`].filter(Boolean).join(" ");
}
