import { useSyncExternalStore } from "react";
import { useHydrated } from "remix-utils/use-hydrated";
import { readServerTime } from "./clock.ts";

const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
const two = (value: number) => String(value).padStart(2, "0");

/** Formats a time. Returns a dash if it is invalid, as number/number.ts does for numbers. */
function formatWith(dateTime: string, words: (date: Date) => string): string {
  const date = new Date(dateTime);
  return Number.isNaN(date.getTime()) ? "–" : words(date);
}

const formatLocalDay = (date: Date) => `${date.getDate()} ${MONTHS[date.getMonth()]}`;

/** `20 Nov 2026, 14:15 UTC` */
export const formatUtc = (dateTime: string): string =>
  formatWith(dateTime, () => `${formatDay(dateTime)}, ${formatClock(dateTime, false)}`);

/** `20 Nov, 15:15` in the reader's zone, or `20 Nov, 14:15 UTC`. For times that are a few days old at most. */
export function formatRecent(dateTime: string, isLocal: boolean): string {
  return formatWith(dateTime, (date) => {
    const day = isLocal ? formatLocalDay(date) : formatDayOfYear(dateTime);
    return `${day}, ${formatClock(dateTime, isLocal)}`;
  });
}

/** `20 Nov, 15:15` in the reader's zone, or `20 Nov 2025, 15:15` if it is not in this year. */
function formatLocal(dateTime: string): string {
  return formatWith(dateTime, (date) => {
    const year = date.getFullYear();
    const isThisYear = year === new Date(readServerTime()).getFullYear();
    return `${formatLocalDay(date)}${isThisYear ? "" : ` ${year}`}, ${formatClock(dateTime, true)}`;
  });
}

/** `15:15` in the reader's zone, or `14:15 UTC`. */
export function formatClock(dateTime: string, isLocal: boolean): string {
  return formatWith(dateTime, (date) =>
    isLocal
      ? `${two(date.getHours())}:${two(date.getMinutes())}`
      : `${two(date.getUTCHours())}:${two(date.getUTCMinutes())} UTC`,
  );
}

/**
 * A day and time in the reader's zone. Until hydration it is in UTC, and says so, because the server does not know the
 * reader's zone. After that, the title shows UTC. `dateTime` is ISO 8601.
 */
export function Time({ dateTime, className }: { dateTime: string; className?: string }) {
  const hydrated = useHydrated();
  return (
    <time dateTime={dateTime} title={hydrated ? formatUtc(dateTime) : undefined} className={className}>
      {hydrated ? formatLocal(dateTime) : formatUtc(dateTime)}
    </time>
  );
}

/** `20 Nov`, for a calendar day such as `2026-11-20` or for the UTC day of a time. The same in every zone. */
export function formatDayOfYear(date: string): string {
  return formatWith(date, (day) => `${day.getUTCDate()} ${MONTHS[day.getUTCMonth()]}`);
}

/** `20 Nov 2026`, for the same day as formatDayOfYear. */
export function formatDay(date: string): string {
  return formatWith(date, (day) => `${formatDayOfYear(date)} ${day.getUTCFullYear()}`);
}

/** `Nov 20, 2026`, for the same day as formatDayOfYear. */
export function formatMonthDay(date: string): string {
  return formatWith(date, (day) => `${MONTHS[day.getUTCMonth()]} ${day.getUTCDate()}, ${day.getUTCFullYear()}`);
}

const STEPS = [
  { unit: "min", seconds: 60, below: 3600 },
  { unit: "h", seconds: 3600, below: 86_400 },
  { unit: "d", seconds: 86_400, below: Infinity },
];

/**
 * `just now`, `4 min ago`, `3 h ago`, `12 d ago`. Both times are in milliseconds. A time in the future counts as now.
 */
export function formatAgo(then: number, now: number): string {
  if (Number.isNaN(then)) return "–";
  const seconds = Math.floor((now - then) / 1000);
  const step = STEPS.find(({ below }) => seconds < below);
  return seconds < 60 || !step ? "just now" : `${Math.floor(seconds / step.seconds)} ${step.unit} ago`;
}

/** How often to look at the clock, in milliseconds. */
const TICK = 15_000;

/** Returns the time of the server's clock, rounded up to 15 s. It is never behind, so that no age seems to shrink. */
export const readClock = () => Math.ceil(readServerTime() / TICK) * TICK;

function watchClock(onTick: () => void) {
  const timer = setInterval(onTick, TICK);
  return () => clearInterval(timer);
}

/**
 * The server's clock in milliseconds, kept current. `now` is its time at the first render, so that both renders agree.
 */
export const useClock = (now: number): number => useSyncExternalStore(watchClock, readClock, () => now);

/** How long ago something was, kept current. `now` as in useClock. */
export function TimeAgo({ dateTime, now }: { dateTime: string; now: number }) {
  const current = useClock(now);
  return (
    <time dateTime={dateTime} title={formatUtc(dateTime)}>
      {formatAgo(Date.parse(dateTime), current)}
    </time>
  );
}
