import type { PointsLogQuery } from "../contract.ts";
import { addDays, startOfUtcDay, utcDay } from "../utc-day.ts";

/** Before and after every entry, within the range of the database's dates. */
const EARLIEST = new Date("1970-01-01T00:00:00.000Z");
const LATEST = new Date("9000-01-01T00:00:00.000Z");

export type LogRange = {
  from: string;
  until: string;
  /** The whole UTC days of the range, without `endDay`. */
  firstDay: string;
  endDay: string;
  /** The partial days at its ends: none for a range of calendar days, two at most. */
  edgeFrom: string[];
  edgeUntil: string[];
};

/**
 * Converts `startDate` and `endDate` to instants. A calendar date means the whole UTC day, and both ends are included.
 * Returns undefined if nothing can lie between them.
 */
export function toLogRange({ startDate, endDate }: Pick<PointsLogQuery, "startDate" | "endDate">) {
  const from = clamp(startDate ? new Date(startDate) : EARLIEST);
  const until = clamp(endDate ? endOf(endDate) : LATEST);
  return from < until ? splitDays(from, until) : undefined;
}

/** Returns the first instant after the given day or instant. Instants have millisecond precision. */
const endOf = (date: string) =>
  isCalendarDate(date) ? addDays(new Date(date), 1) : new Date(new Date(date).getTime() + 1);

const isCalendarDate = (date: string) => !date.includes("T");

const clamp = (instant: Date) => new Date(Math.min(Math.max(instant.getTime(), EARLIEST.getTime()), LATEST.getTime()));

function splitDays(from: Date, until: Date): LogRange {
  const first = startOfUtcDay(from) < from ? addDays(startOfUtcDay(from), 1) : from;
  const end = startOfUtcDay(until);
  const edges: [Date, Date][] =
    first > end
      ? [[from, until]]
      : [
          [from, first],
          [end, until],
        ];
  const parts = edges.filter(([since, to]) => since < to);
  return {
    from: from.toISOString(),
    until: until.toISOString(),
    firstDay: utcDay(first),
    endDay: utcDay(end),
    edgeFrom: parts.map(([since]) => since.toISOString()),
    edgeUntil: parts.map(([, to]) => to.toISOString()),
  };
}
