import { HISTORY_DAYS, type PartId, type StatusDay } from "./contract.ts";
import type { DayRow } from "./queries.ts";

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** Describes the days of a part until a given time, the oldest first, and its uptime in percent. */
export function describeDays(rows: readonly DayRow[], part: PartId, until: Date) {
  const own = rows.filter((row) => row.part === part);
  const byDay = new Map(own.map((row) => [row.day, row]));
  const first = own[0]?.since ?? until;
  const today = Math.floor(until.getTime() / DAY_MS);
  const days = Array.from({ length: HISTORY_DAYS }, (_, index) => {
    const begins = (today - HISTORY_DAYS + 1 + index) * DAY_MS;
    return describeDay(begins, byDay, { first, until });
  });
  return { days, uptime: toUptime(days) };
}

type Span = { first: Date; until: Date };

function describeDay(begins: number, byDay: ReadonlyMap<string, DayRow>, { first, until }: Span): StatusDay {
  const date = new Date(begins).toISOString().slice(0, 10);
  const { degraded = 0, down = 0, up = 0 } = byDay.get(date) ?? {};
  const from = Math.max(begins, first.getTime());
  const to = Math.min(begins + DAY_MS, until.getTime());
  const passed = Math.max(0, Math.floor((to - from) / MINUTE_MS));
  return { date, up, degraded, down, unknown: Math.max(0, passed - up - degraded - down) };
}

/**
 * Computes the uptime in percent. Minutes without a check count as not up, because a server that is off serves nobody.
 * The result is cut off after two decimals, so that 100 really means all minutes.
 */
function toUptime(days: readonly StatusDay[]): number | null {
  let [good, all] = [0, 0];
  for (const { degraded, down, unknown, up } of days) {
    good += up + degraded;
    all += up + degraded + down + unknown;
  }
  return all === 0 ? null : Math.floor((good * 10_000) / all) / 100;
}
